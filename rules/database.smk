rule seed_database:
    input:
        schema="databases/{database}/schema.sql",
        generator=of(generator_files, "database"),
    output:
        dump="results/databases/{database}/{instance}.sql",
        catalog="results/databases/{database}/{instance}.json",
    log:
        "results/databases/{database}/logs/seed-{instance}.log",
    benchmark:
        "results/databases/{database}/benchmarks/seed-{instance}.tsv"
    wildcard_constraints:
        database=databases_of_source("builtin"),
    conda:
        "../envs/laptop.yaml"
    params:
        settings=of_settings(database_seed, "database", "instance"),
        code=code_digest("scripts/seed_database.py"),
    shell:
        "python -m scripts.seed_database --schema {input.schema} --generator {input.generator}"
        " --instance {wildcards.instance} --settings {params.settings:q}"
        " --output {output.dump} --catalog {output.catalog} --log {log}"


# A running server is read when somebody asks for this target, and never by a build.
rule snapshot_database:
    log:
        f"results/{RUN.name}/logs/snapshot.log",
    benchmark:
        f"results/{RUN.name}/benchmarks/snapshot.tsv"
    conda:
        "../envs/laptop.yaml"
    params:
        variables=of_settings(live_variables),
        folders=of_settings(live_folders),
        settings=of_settings(snapshot_settings),
        may_see=SETTINGS["authoring"]["may_see"],
        code=code_digest("scripts/snapshot_database.py"),
    shell:
        "python -m scripts.snapshot_database --url-variable {params.variables} --folder {params.folders}"
        " --settings {params.settings:q} --may-see {params.may_see} --log {log}"


rule load_database:
    input:
        of(own_files, "database"),
    output:
        dump="results/databases/{database}/main.sql",
        catalog="results/databases/{database}/main.json",
        schema="results/databases/{database}/schema.sql",
    log:
        "results/databases/{database}/logs/load.log",
    benchmark:
        "results/databases/{database}/benchmarks/load.tsv"
    wildcard_constraints:
        database=databases_of_source("sql", "url"),
    conda:
        "../envs/laptop.yaml"
    params:
        code=code_digest("scripts/load_database.py"),
    shell:
        "python -m scripts.load_database --scripts {input} --output {output.dump}"
        " --catalog {output.catalog} --schema {output.schema} --log {log}"


rule draft_notes:
    input:
        "results/databases/{database}/main.sql",
    output:
        statistics="results/databases/{database}/statistics.json",
        notes="results/databases/{database}/notes.md",
    log:
        "results/databases/{database}/logs/draft-notes.log",
    benchmark:
        "results/databases/{database}/benchmarks/draft-notes.tsv"
    wildcard_constraints:
        database=databases_of_source("sql", "url"),
    conda:
        "../envs/laptop.yaml"
    params:
        may_see=SETTINGS["authoring"]["may_see"],
        code=code_digest("scripts/draft_notes.py"),
    shell:
        "python -m scripts.draft_notes --main {input} --may-see {params.may_see}"
        " --statistics {output.statistics} --notes {output.notes} --log {log}"


rule resample_database:
    input:
        "results/databases/{database}/main.sql",
    output:
        dump="results/databases/{database}/{instance}.sql",
        catalog="results/databases/{database}/{instance}.json",
    log:
        "results/databases/{database}/logs/resample-{instance}.log",
    benchmark:
        "results/databases/{database}/benchmarks/resample-{instance}.tsv"
    wildcard_constraints:
        database=databases_of_source("sql", "url"),
        instance=r"(twin|witness)-\d+",
    conda:
        "../envs/laptop.yaml"
    params:
        settings=of_settings(database_seed, "database", "instance"),
        code=code_digest("scripts/resample_database.py"),
    shell:
        "python -m scripts.resample_database --main {input} --instance {wildcards.instance}"
        " --settings {params.settings:q} --output {output.dump} --catalog {output.catalog} --log {log}"
