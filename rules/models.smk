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


rule describe_server:
    output:
        "results/models/{model}/server.json",
    log:
        "results/models/{model}/logs/server.log",
    benchmark:
        "results/models/{model}/benchmarks/server.tsv"
    conda:
        "../envs/laptop.yaml"
    params:
        settings=of_settings(server_settings, "model"),
        code=code_digest("scripts/describe_server.py"),
    shell:
        "python -m scripts.describe_server --settings {params.settings:q} --output {output} --log {log}"
