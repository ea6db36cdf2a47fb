rule fetch_model:
    input:
        of_settings(model_files, "model"),
    output:
        "results/models/{model}/model.json",
    log:
        "results/models/{model}/logs/fetch.log",
    benchmark:
        "results/models/{model}/benchmarks/fetch.tsv"
    conda:
        "../envs/laptop.yaml"
    params:
        settings=of_settings(model_source, "model"),
        code=code_digest("scripts/fetch_model.py"),
    shell:
        "python -m scripts.fetch_model --name {wildcards.model} --settings {params.settings:q}"
        " --output {output} --log {log}"
