rule write_base_benchmark:
    input:
        templates=of(report_templates),
        model=of_run("model"),
        tasks=of_run("tasks", part="holdout"),
        scores=of_run("base_samples", kind="scores"),
        rollouts=of_run("base_samples", kind="rollouts"),
        origins=of_run("base_origins"),
        timings=of_run("base_timings"),
    output:
        html=report(
            "results/{run}/base_benchmark.html",
            caption="../report/base_benchmark.rst",
            category="Base model",
            labels={"run": "{run}"},
        ),
        json="results/{run}/base_benchmark.json",
    log:
        "results/{run}/base/logs/base_benchmark.log",
    benchmark:
        "results/{run}/base/benchmarks/base_benchmark.tsv"
    conda:
        "../envs/laptop.yaml"
    params:
        settings=of_run("report"),
        provenance=base_provenance,
        group_sizes=of_run("group_sizes"),
        code=code_digest("scripts/base_benchmark.py"),
    shell:
        "python -m scripts.base_benchmark --model {input.model} --tasks {input.tasks}"
        " --scores {input.scores} --rollouts {input.rollouts} --timings {input.timings}"
        " --settings {params.settings:q} --provenance {params.provenance:q} --group-sizes {params.group_sizes}"
        " --output-html {output.html} --output-json {output.json} --log {log}"


rule write_delta_report:
    input:
        templates=of(report_templates),
        tasks=of_run("evaluated_tasks"),
        dev_tasks=of_run("tasks", part="dev"),
        reviews=of_run("reviews"),
        databases=of_run("evaluated_databases"),
        catalogs=of_run("evaluated_catalogs"),
        model=of_run("model"),
        adapters=of_run("adapters"),
        parity=of_run("proofs"),
        training_logs=of_run("training_logs"),
        timings=of_run("timings"),
        rollouts=of_run("evaluated_samples", kind="rollouts"),
        scores=of_run("evaluated_samples", kind="scores"),
        dev_scores=of_run("dev_scores"),
        origins=of_run("score_origins"),
        prompts=of_run("prompt_files"),
    output:
        html=report(
            "results/{run}/delta_report.html",
            caption="../report/delta_report.rst",
            category="Delta report",
            labels={"run": "{run}"},
        ),
        markdown="results/{run}/delta_report.md",
        json="results/{run}/delta_report.json",
    log:
        "results/{run}/logs/delta_report.log",
    benchmark:
        "results/{run}/benchmarks/delta_report.tsv"
    conda:
        "../envs/laptop.yaml"
    params:
        settings=of_run("report"),
        provenance=provenance,
        code=code_digest("scripts/delta_report.py"),
    shell:
        "python -m scripts.delta_report --tasks {input.tasks} --dev-tasks {input.dev_tasks} --reviews {input.reviews}"
        " --databases {input.databases} --catalogs {input.catalogs} --model {input.model}"
        " --adapters {input.adapters} --parity {input.parity} --training-logs {input.training_logs}"
        " --timings {input.timings} --prompts {input.prompts}"
        " --rollouts {input.rollouts} --scores {input.scores} {input.dev_scores}"
        " --settings {params.settings:q} --provenance {params.provenance:q}"
        " --output-html {output.html} --output-md {output.markdown} --output-json {output.json} --log {log}"


rule describe_run:
    input:
        template=run_template(),
        report="results/{run}/delta_report.json",
        model=of_run("model"),
        timings=of_run("timings"),
    output:
        "results/{run}/README.md",
    log:
        "results/{run}/logs/readme.log",
    benchmark:
        "results/{run}/benchmarks/readme.tsv"
    conda:
        "../envs/laptop.yaml"
    params:
        settings=of_run("own_settings"),
        code=code_digest("scripts/describe_run.py"),
    shell:
        "python -m scripts.describe_run --template {input.template} --report {input.report}"
        " --model {input.model} --timings {input.timings} --settings {params.settings:q}"
        " --output {output} --log {log}"


rule write_comparison:
    input:
        templates=of(other_templates, page="comparison"),
        reports=of_settings(compared_reports),
        tasks=of_settings(compared_tasks),
        scores=of_settings(compared_scores),
    output:
        html=report(
            "results/comparison/comparison.html",
            caption="../report/comparison.rst",
            category="Comparison of runs",
        ),
        markdown="results/comparison/comparison.md",
        json="results/comparison/comparison.json",
    log:
        "results/comparison/logs/comparison.log",
    benchmark:
        "results/comparison/benchmarks/comparison.tsv"
    conda:
        "../envs/laptop.yaml"
    params:
        settings=comparison_settings(SETTINGS),
        runs=of_settings(compared_claims),
        code=code_digest("scripts/compare_runs.py"),
    shell:
        "python -m scripts.compare_runs --reports {input.reports} --tasks {input.tasks} --scores {input.scores}"
        " --settings {params.settings:q} --runs {params.runs:q} --output-html {output.html}"
        " --output-md {output.markdown} --output-json {output.json} --log {log}"
