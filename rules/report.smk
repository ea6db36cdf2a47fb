rule write_base_benchmark:
    input:
        tasks=holdout_tasks,
        scores=base_files("scores"),
        rollouts=base_files("rollouts"),
        timings=base_timings,
    output:
        "results/{run}/base_benchmark.json",
    log:
        "results/{run}/base/logs/base_benchmark.log",
    benchmark:
        "results/{run}/base/benchmarks/base_benchmark.tsv"
    conda:
        "../envs/laptop.yaml"
    params:
        settings=run_setting("report"),
        code=code_digest("scripts/base_benchmark.py"),
    shell:
        "python -m scripts.base_benchmark --tasks {input.tasks} --scores {input.scores}"
        " --rollouts {input.rollouts} --timings {input.timings} --settings {params.settings:q}"
        " --output {output} --log {log}"


rule write_delta_report:
    input:
        template="sqlrl/report/page.html.j2",
        tasks=holdout_tasks,
        dev_tasks=dev_tasks,
        databases=run_dumps,
        catalogs=run_catalogs,
        model=run_model,
        adapters=run_adapters,
        training_logs=run_training_logs,
        timings=run_timings,
        rollouts=holdout_files("rollouts"),
        scores=holdout_files("scores"),
        dev_scores=dev_scores,
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
        settings=run_setting("report"),
        provenance=run_setting("provenance"),
        code=code_digest("scripts/delta.py"),
    shell:
        "python -m scripts.delta --tasks {input.tasks} --dev-tasks {input.dev_tasks}"
        " --databases {input.databases} --catalogs {input.catalogs} --model {input.model}"
        " --adapters {input.adapters} --training-logs {input.training_logs} --timings {input.timings}"
        " --rollouts {input.rollouts} --scores {input.scores} {input.dev_scores}"
        " --settings {params.settings:q} --provenance {params.provenance:q}"
        " --output-html {output.html} --output-md {output.markdown} --output-json {output.json} --log {log}"
