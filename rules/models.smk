rule fetch_model:
    input:
        model_source,
    output:
        "results/models/{model}/model.json",
    log:
        "results/models/{model}/logs/fetch.log",
    benchmark:
        "results/models/{model}/benchmarks/fetch.tsv"
    conda:
        "../envs/laptop.yaml"
    params:
        settings=model_settings,
        code=code_digest("scripts/fetch_model.py"),
    shell:
        "python -m scripts.fetch_model --name {wildcards.model} --settings {params.settings:q}"
        " --output {output} --log {log}"
