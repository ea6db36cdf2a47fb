rule seed_database:
    input:
        schema="databases/{database}/schema.sql",
        generator=generator,
    output:
        dump="results/databases/{database}/{instance}.sql",
        catalog="results/databases/{database}/{instance}.json",
    log:
        "results/databases/{database}/logs/seed-{instance}.log",
    benchmark:
        "results/databases/{database}/benchmarks/seed-{instance}.tsv"
    conda:
        "../envs/laptop.yaml"
    params:
        settings=seed_of_instance,
        code=code_digest("scripts/seed_database.py"),
    shell:
        "python -m scripts.seed_database --schema {input.schema} --generator {input.generator}"
        " --instance {wildcards.instance} --settings {params.settings:q}"
        " --output {output.dump} --catalog {output.catalog} --log {log}"
