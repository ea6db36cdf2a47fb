rule author_tasks:
    input:
        dump="results/databases/{database}/main.sql",
        catalog="results/databases/{database}/main.json",
        grammar=of_settings(teacher_input, "database", name="grammar"),
        frozen=of_settings(teacher_input, "database", name="frozen"),
        model=of_settings(teacher_input, "database", name="model"),
        prompt=of_settings(teacher_input, "database", name="prompt"),
        notes=of_settings(teacher_input, "database", name="notes"),
    output:
        authored="results/tasks/{database}/authored.jsonl",
        summary="results/tasks/{database}/authoring.json",
        timing="results/tasks/{database}/timings/author.json",
    log:
        "results/tasks/{database}/logs/author.log",
    benchmark:
        "results/tasks/{database}/benchmarks/author.tsv"
    conda:
        "../envs/laptop.yaml"
    resources:
        server=of_settings(teacher_server, "database"),
        spending=spending_limit(SETTINGS) or "none",
    params:
        teacher=of_settings(teacher_of, "database"),
        kind=of_settings(teaching_kind, "database"),
        settings=of_settings(authoring_settings, "database"),
        code=authoring_code("scripts/author_tasks.py"),
    shell:
        "python -m scripts.author_tasks --teacher {params.teacher} --database {input.dump}"
        " --grammar {input.grammar} --frozen {input.frozen} --kind {params.kind} --model {input.model}"
        " --server {resources.server} --prompt {input.prompt} --notes {input.notes}"
        " --spending {resources.spending} --settings {params.settings:q}"
        " --work results/tasks/{wildcards.database}/work/teacher"
        " --output {output.authored} --summary {output.summary} --timing {output.timing} --log {log}"


rule freeze_tasks:
    input:
        tasks=expand("results/tasks/{database}/tasks.jsonl", database=RUN.evaluated),
        authoring=expand(
            "results/tasks/{database}/authoring.json", database=RUN.evaluated
        ),
    log:
        f"results/{RUN.name}/tasks/logs/freeze.log",
    benchmark:
        f"results/{RUN.name}/tasks/benchmarks/freeze.tsv"
    conda:
        "../envs/laptop.yaml"
    params:
        code=code_digest("scripts/freeze_tasks.py"),
    shell:
        "python -m scripts.freeze_tasks --tasks {input.tasks} --authoring {input.authoring} --log {log}"


rule screen_tasks:
    input:
        authored="results/tasks/{database}/authored.jsonl",
        databases=of_settings(database_files, "database"),
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
        settings=of_settings(screening_settings, "database"),
        code=code_digest("scripts/screen_tasks.py"),
    shell:
        "python -m scripts.screen_tasks --authored {input.authored} --databases {input.databases}"
        " --settings {params.settings:q} --output {output.screened} --rejected {output.rejected}"
        " --summary {output.summary} --log {log}"


rule probe_tasks:
    input:
        screened="results/tasks/{database}/screened.jsonl",
        databases=of_settings(database_files, "database"),
        witnesses=of_settings(witness_files, "database"),
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
        settings=of_settings(screening_settings, "database"),
        code=code_digest("scripts/probe_tasks.py"),
    shell:
        "python -m scripts.probe_tasks --screened {input.screened} --databases {input.databases}"
        " --witnesses {input.witnesses} --settings {params.settings:q} --output {output.tasks}"
        " --exposed {output.exposed} --summary {output.summary} --log {log}"


rule solve_tasks:
    input:
        tasks="results/tasks/{database}/tasks.jsonl",
        model=of_settings(solver_input, "database", name="model"),
        catalogs=of_settings(solver_input, "database", name="catalog"),
        notes=of_settings(solver_input, "database", name="notes"),
    output:
        solutions="results/tasks/{database}/solutions.jsonl",
        timing="results/tasks/{database}/timings/solve.json",
    log:
        "results/tasks/{database}/logs/solve.log",
    benchmark:
        "results/tasks/{database}/benchmarks/solve.tsv"
    conda:
        environment_of(solver_kind(SETTINGS))
    resources:
        gpu=SETTINGS["review"]["gpus"],
        mem_mb=1024 * SETTINGS["review"]["memory_gb"],
        engine=solver_engine(SETTINGS),
        server=solver_server(SETTINGS),
        spending=spending_limit(SETTINGS, "review") or "none",
    params:
        kind=solver_kind(SETTINGS),
        prompt=solving_prompt(SETTINGS),
        settings=solving_settings(SETTINGS),
        code=solving_code("scripts/solve_tasks.py"),
    shell:
        "python -m scripts.solve_tasks --tasks {input.tasks} --model {input.model} --server {resources.server}"
        " --databases {input.catalogs} --notes {input.notes} --prompt {params.prompt:q} --sampler {params.kind}"
        " --engine {resources.engine} --gpus {resources.gpu} --spending {resources.spending}"
        " --settings {params.settings:q} --code {params.code}"
        " --work results/tasks/{wildcards.database}/work/solver"
        " --output {output.solutions} --timing {output.timing} --log {log}"


rule review_tasks:
    input:
        tasks="results/tasks/{database}/tasks.jsonl",
        exposed="results/tasks/{database}/exposed.jsonl",
        databases=of_settings(database_files, "database"),
        solutions=of_settings(solver_input, "database", name="solutions"),
        solver=of_settings(solver_input, "database", name="model"),
    output:
        tasks="results/tasks/{database}/reviewed.jsonl",
        reviews="results/tasks/{database}/review.jsonl",
        summary="results/tasks/{database}/review.json",
    log:
        "results/tasks/{database}/logs/review.log",
    benchmark:
        "results/tasks/{database}/benchmarks/review.tsv"
    conda:
        "../envs/laptop.yaml"
    threads: 2
    params:
        settings=review_settings(SETTINGS),
        code=code_digest("scripts/review_tasks.py"),
    shell:
        "python -m scripts.review_tasks --tasks {input.tasks} --exposed {input.exposed}"
        " --databases {input.databases} --solutions {input.solutions} --solver {input.solver}"
        " --settings {params.settings:q} --output {output.tasks} --reviews {output.reviews}"
        " --summary {output.summary} --log {log}"


rule split_tasks:
    input:
        "results/tasks/{database}/reviewed.jsonl",
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
        settings=of_run("task_selection", "database"),
        code=code_digest("scripts/select_tasks.py"),
    shell:
        "python -m scripts.select_tasks --train {input.train} --dev {input.dev} --holdout {input.holdout}"
        " --settings {params.settings:q} --output-train {output.train} --output-dev {output.dev}"
        " --output-holdout {output.holdout} --log {log}"


rule write_tasks_report:
    input:
        templates=of(other_templates, page="tasks"),
        files=of(task_records, "database"),
    output:
        html=report(
            "results/tasks/{database}/tasks_report.html",
            caption="../report/tasks_report.rst",
            category="Tasks",
            labels={"database": "{database}"},
        ),
        json="results/tasks/{database}/tasks_report.json",
    log:
        "results/tasks/{database}/logs/tasks_report.log",
    benchmark:
        "results/tasks/{database}/benchmarks/tasks_report.tsv"
    conda:
        "../envs/laptop.yaml"
    params:
        settings=bootstrap_settings(SETTINGS),
        code=code_digest("scripts/tasks_report.py"),
    shell:
        "python -m scripts.tasks_report --files {input.files} --settings {params.settings:q}"
        " --output-html {output.html} --output-json {output.json} --log {log}"
