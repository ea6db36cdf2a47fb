from snakemake.utils import min_version

min_version("9.27")


configfile: "config.yaml"


report: "report/workflow.rst"


include: "rules/common.smk"
include: "rules/database.smk"
include: "rules/tasks.smk"
include: "rules/models.smk"
include: "rules/training.smk"
include: "rules/scoring.smk"
include: "rules/report.smk"
include: "rules/publish.smk"


rule delta_report:
    default_target: True
    input:
        run_products(RUN),


rule tasks:
    input:
        task_products(RUN),


rule base_benchmark:
    input:
        f"{RUN.folder}/base_benchmark.html",
        f"{RUN.folder}/base_benchmark.json",
        RUN.samples("scores", ["base"], "holdout"),


rule prompts:
    input:
        f"{RUN.folder}/prompts.json",


rule publish_adapter:
    input:
        publication,


rule export_rows:
    input:
        row_products(RUN),


rule compare_runs:
    input:
        of_settings(comparison_products),
