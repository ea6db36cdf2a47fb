rule write_publication:
    input:
        template="sqlrl/publish/card.md.j2",
        report="results/{run}/delta_report.json",
        adapter=adapter_of_checkpoint,
        model=run_model,
        tasks=train_tasks,
        holdout_tasks=holdout_tasks,
        rollouts=published_files("rollouts"),
        scores=published_files("scores"),
        catalogs=run_catalogs,
        notes=run_notes,
        schemas=run_schemas,
    output:
        card="results/{run}/published/{checkpoint}/README.md",
        adapter=multiext(
            "results/{run}/published/{checkpoint}/adapter",
            ".json",
            "_config.json",
            "_model.safetensors",
        ),
        data=multiext(
            "results/{run}/published/{checkpoint}/data/",
            "train.jsonl",
            "holdout_rollouts.jsonl",
        ),
    log:
        "results/{run}/{checkpoint}/logs/publish.log",
    benchmark:
        "results/{run}/{checkpoint}/benchmarks/publish.tsv"
    conda:
        "../envs/laptop.yaml"
    params:
        prompt=run_setting("prompt"),
        settings=run_setting("publication"),
        code=code_digest("scripts/publish_adapter.py"),
    shell:
        "python -m scripts.publish_adapter --checkpoint {wildcards.checkpoint} --report {input.report}"
        " --adapter {input.adapter} --model {input.model} --tasks {input.tasks}"
        " --holdout-tasks {input.holdout_tasks} --rollouts {input.rollouts} --scores {input.scores}"
        " --databases {input.catalogs} --notes {input.notes} --schemas {input.schemas}"
        " --prompt {params.prompt:q} --settings {params.settings:q}"
        " --output results/{wildcards.run}/published/{wildcards.checkpoint} --log {log}"
