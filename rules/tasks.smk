rule author_tasks:
    input:
        dump="results/databases/{database}/main.sql",
        catalog="results/databases/{database}/main.json",
        grammar=grammar,
    output:
        "results/tasks/{database}/authored.jsonl",
    log:
        "results/tasks/{database}/logs/author.log",
    benchmark:
        "results/tasks/{database}/benchmarks/author.tsv"
    conda:
        "../envs/laptop.yaml"
    params:
        settings=section("authoring"),
        code=code_digest("scripts/author_tasks.py"),
    shell:
        "python -m scripts.author_tasks --database {input.dump} --grammar {input.grammar}"
        " --settings {params.settings:q} --output {output} --log {log}"


rule screen_tasks:
    input:
        authored="results/tasks/{database}/authored.jsonl",
        databases=dumps,
    output:
        screened="results/tasks/{database}/screened.jsonl",
        rejected="results/tasks/{database}/rejected.jsonl",
        summary="results/tasks/{database}/screening.json",
    log:
        "results/tasks/{database}/logs/screen.log",
    benchmark:
        "results/tasks/{database}/benchmarks/screen.tsv"
    conda:
        "../envs/laptop.yaml"
    params:
        settings=section("screening"),
        code=code_digest("scripts/screen_tasks.py"),
    shell:
        "python -m scripts.screen_tasks --authored {input.authored} --databases {input.databases}"
        " --settings {params.settings:q} --output {output.screened} --rejected {output.rejected}"
        " --summary {output.summary} --log {log}"


rule probe_tasks:
    input:
        screened="results/tasks/{database}/screened.jsonl",
        databases=dumps,
        witnesses=witness_dumps,
    output:
        tasks="results/tasks/{database}/tasks.jsonl",
        exposed="results/tasks/{database}/exposed.jsonl",
        summary="results/tasks/{database}/exposure.json",
    log:
        "results/tasks/{database}/logs/probe.log",
    benchmark:
        "results/tasks/{database}/benchmarks/probe.tsv"
    conda:
        "../envs/laptop.yaml"
    threads: 2
    params:
        settings=section("screening"),
        code=code_digest("scripts/probe_tasks.py"),
    shell:
        "python -m scripts.probe_tasks --screened {input.screened} --databases {input.databases}"
        " --witnesses {input.witnesses} --settings {params.settings:q} --output {output.tasks}"
        " --exposed {output.exposed} --summary {output.summary} --log {log}"


rule split_tasks:
    input:
        "results/tasks/{database}/tasks.jsonl",
    output:
        train="results/tasks/{database}/train.jsonl",
        dev="results/tasks/{database}/dev.jsonl",
        holdout="results/tasks/{database}/holdout.jsonl",
    log:
        "results/tasks/{database}/logs/split.log",
    benchmark:
        "results/tasks/{database}/benchmarks/split.tsv"
    conda:
        "../envs/laptop.yaml"
    params:
        settings=section("split"),
        code=code_digest("scripts/split_tasks.py"),
    shell:
        "python -m scripts.split_tasks --tasks {input} --settings {params.settings:q}"
        " --train {output.train} --dev {output.dev} --holdout {output.holdout} --log {log}"


rule select_tasks:
    input:
        train="results/tasks/{database}/train.jsonl",
        dev="results/tasks/{database}/dev.jsonl",
        holdout="results/tasks/{database}/holdout.jsonl",
    output:
        train="results/{run}/tasks/{database}-train.jsonl",
        dev="results/{run}/tasks/{database}-dev.jsonl",
        holdout="results/{run}/tasks/{database}-holdout.jsonl",
    log:
        "results/{run}/tasks/logs/select-{database}.log",
    benchmark:
        "results/{run}/tasks/benchmarks/select-{database}.tsv"
    conda:
        "../envs/laptop.yaml"
    params:
        settings=run_setting("task_selection"),
        code=code_digest("scripts/select_tasks.py"),
    shell:
        "python -m scripts.select_tasks --train {input.train} --dev {input.dev} --holdout {input.holdout}"
        " --settings {params.settings:q} --output-train {output.train} --output-dev {output.dev}"
        " --output-holdout {output.holdout} --log {log}"
