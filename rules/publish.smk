rule write_publication:
    input:
        template="sqlrl/publish/card.md.j2",
        report="results/{run}/delta_report.json",
        adapter=of_run("adapter_files", "checkpoint"),
        model=of_run("model"),
        tasks=of_run("tasks", part="train"),
        holdout_tasks=of_run("tasks", part="holdout"),
        rollouts=of_run("checkpoint_samples", "checkpoint", kind="rollouts"),
        scores=of_run("checkpoint_samples", "checkpoint", kind="scores"),
        catalogs=of_run("training_catalogs"),
        notes=of_run("notes"),
        schemas=of_run("schemas"),
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
        prompt=of_run("prompt"),
        settings=of_run("publication"),
        code=code_digest("scripts/publish_adapter.py"),
    shell:
        "python -m scripts.publish_adapter --checkpoint {wildcards.checkpoint} --report {input.report}"
        " --adapter {input.adapter} --model {input.model} --tasks {input.tasks}"
        " --holdout-tasks {input.holdout_tasks} --rollouts {input.rollouts} --scores {input.scores}"
        " --databases {input.catalogs} --notes {input.notes} --schemas {input.schemas}"
        " --prompt {params.prompt:q} --settings {params.settings:q}"
        " --output results/{wildcards.run}/published/{wildcards.checkpoint} --log {log}"


rule write_causal_form:
    input:
        model=of_run("model"),
        adapter=of_run("adapter_files", "checkpoint"),
        probes=of_run("product_of_checkpoint", "checkpoint", name="probes.jsonl"),
    output:
        multiext(
            "results/{run}/published/{checkpoint}/causal-lm/adapter",
            "_config.json",
            "_model.safetensors",
        ),
    log:
        "results/{run}/{checkpoint}/logs/causal_form.log",
    benchmark:
        "results/{run}/{checkpoint}/benchmarks/causal_form.tsv"
    conda:
        environment
    params:
        code=code_digest("scripts/rename_adapter.py"),
    shell:
        "python -m scripts.rename_adapter --model {input.model} --adapter {input.adapter} --probes {input.probes}"
        " --output results/{wildcards.run}/published/{wildcards.checkpoint}/causal-lm --log {log}"


rule write_rows:
    input:
        report="results/{run}/delta_report.json",
        tasks=of_run("tasks", part="holdout"),
        rollouts=of_run("checkpoint_samples", "checkpoint", kind="rollouts"),
        scores=of_run("checkpoint_samples", "checkpoint", kind="scores"),
    output:
        "results/{run}/rows/{checkpoint}.jsonl",
    log:
        "results/{run}/{checkpoint}/logs/rows.log",
    benchmark:
        "results/{run}/{checkpoint}/benchmarks/rows.tsv"
    conda:
        "../envs/laptop.yaml"
    params:
        code=code_digest("scripts/export_rows.py"),
    shell:
        "python -m scripts.export_rows --checkpoint {wildcards.checkpoint} --report {input.report}"
        " --tasks {input.tasks} --rollouts {input.rollouts} --scores {input.scores}"
        " --output {output} --log {log}"
