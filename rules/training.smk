rule measure_band:
    input:
        model=of_run("model"),
        adapter=of_run("band_files", "stage"),
        tasks=of_run("tasks", part="train"),
        databases=of_run("training_databases"),
        catalogs=of_run("training_catalogs"),
        notes=of_run("notes"),
    output:
        band="results/{run}/{stage}/band.jsonl",
        timing="results/{run}/{stage}/timings/band.json",
    log:
        "results/{run}/{stage}/logs/band.log",
    benchmark:
        "results/{run}/{stage}/benchmarks/band.tsv"
    conda:
        environment
    resources:
        gpu=of_run("gpus"),
        mem_mb=of_run("memory_mb"),
        engine=of_run("engine", training=False),
    params:
        prompt=of_run("prompt"),
        sampler=of_run("sampler"),
        band=of_run("band", "stage"),
        verifier=section("verifier"),
        code=sampling_code("scripts/measure_band.py"),
    shell:
        "python -m scripts.measure_band --model {input.model} --adapter {input.adapter}"
        " --tasks {input.tasks} --databases {input.databases} --notes {input.notes}"
        " --prompt {params.prompt:q} --sampler {params.sampler} --band {params.band:q}"
        " --engine {resources.engine} --gpus {resources.gpu} --verifier {params.verifier:q} --code {params.code}"
        " --work results/{wildcards.run}/{wildcards.stage}/work"
        " --output {output.band} --timing {output.timing} --log {log}"


rule collect_replies:
    input:
        model=of_run("model"),
        adapter=of_run("parent_files", "stage"),
        tasks=of_run("tasks", part="train"),
        databases=of_run("training_databases"),
        catalogs=of_run("training_catalogs"),
        notes=of_run("notes"),
    output:
        replies="results/{run}/{stage}/replies.jsonl",
        timing="results/{run}/{stage}/timings/replies.json",
    log:
        "results/{run}/{stage}/logs/replies.log",
    benchmark:
        "results/{run}/{stage}/benchmarks/replies.tsv"
    conda:
        environment
    resources:
        gpu=of_run("gpus"),
        mem_mb=of_run("memory_mb"),
        engine=of_run("engine", training=False),
    params:
        prompt=of_run("prompt"),
        sampler=of_run("sampler"),
        collection=of_run("collection", "stage"),
        verifier=section("verifier"),
        code=sampling_code("scripts/collect_replies.py"),
    shell:
        "python -m scripts.collect_replies --model {input.model} --adapter {input.adapter}"
        " --tasks {input.tasks} --databases {input.databases} --notes {input.notes}"
        " --prompt {params.prompt:q} --sampler {params.sampler} --collection {params.collection:q}"
        " --engine {resources.engine} --gpus {resources.gpu} --verifier {params.verifier:q} --code {params.code}"
        " --work results/{wildcards.run}/{wildcards.stage}/work"
        " --output {output.replies} --timing {output.timing} --log {log}"


rule train_sft:
    input:
        model=of_run("model"),
        parent=of_run("parent_files", "stage"),
        tasks=of_run("tasks", part="train"),
        replies=of_run("reply_files", "stage"),
        catalogs=of_run("training_catalogs"),
        notes=of_run("notes"),
    output:
        adapter=multiext(
            "results/{run}/{stage}/adapter/adapter",
            ".json",
            "_config.json",
            "_model.safetensors",
        ),
        checkpoints="results/{run}/{stage}/checkpoints.safetensors",
        probes="results/{run}/{stage}/probes.jsonl",
        training_log="results/{run}/{stage}/training_log.jsonl",
        timing="results/{run}/{stage}/timings/train.json",
        step_times="results/{run}/{stage}/timings/train-steps.jsonl",
    log:
        "results/{run}/{stage}/logs/train.log",
    benchmark:
        "results/{run}/{stage}/benchmarks/train.tsv"
    wildcard_constraints:
        stage=stages_of_kind("sft"),
    conda:
        environment
    resources:
        gpu=of_run("stage_gpus", "stage"),
        launcher=of_run("launcher", "stage"),
        mem_mb=of_run("memory_mb"),
        wall_minutes=of_run("wall_minutes", "stage"),
        report_to=of_run("trackers"),
    params:
        prompt=of_run("prompt"),
        settings=of_run("stage_settings", "stage"),
        code=code_digest("scripts/train_sft.py"),
    shell:
        "{resources.launcher} scripts.train_sft --model {input.model} --parent {input.parent}"
        " --tasks {input.tasks} --replies {input.replies} --databases {input.catalogs} --notes {input.notes}"
        " --prompt {params.prompt:q} --settings {params.settings:q} --code {params.code}"
        " --work results/{wildcards.run}/{wildcards.stage}/work"
        " --adapter results/{wildcards.run}/{wildcards.stage}/adapter"
        " --checkpoints {output.checkpoints} --probes {output.probes} --training-log {output.training_log}"
        " --timing {output.timing} --step-times {output.step_times}"
        " --wall-minutes {resources.wall_minutes} --gpus {resources.gpu} --report-to {resources.report_to} --log {log}"


rule train_grpo:
    input:
        model=of_run("model"),
        parent=of_run("parent_files", "stage"),
        tasks=of_run("tasks", part="train"),
        band="results/{run}/{stage}/band.jsonl",
        databases=of_run("training_databases"),
        catalogs=of_run("training_catalogs"),
        notes=of_run("notes"),
    output:
        adapter=multiext(
            "results/{run}/{stage}/adapter/adapter",
            ".json",
            "_config.json",
            "_model.safetensors",
        ),
        checkpoints="results/{run}/{stage}/checkpoints.safetensors",
        probes="results/{run}/{stage}/probes.jsonl",
        training_log="results/{run}/{stage}/training_log.jsonl",
        timing="results/{run}/{stage}/timings/train.json",
        step_times="results/{run}/{stage}/timings/train-steps.jsonl",
    log:
        "results/{run}/{stage}/logs/train.log",
    benchmark:
        "results/{run}/{stage}/benchmarks/train.tsv"
    wildcard_constraints:
        stage=stages_of_kind("grpo"),
    conda:
        environment
    resources:
        gpu=of_run("stage_gpus", "stage"),
        launcher=of_run("launcher", "stage"),
        mem_mb=of_run("memory_mb"),
        wall_minutes=of_run("wall_minutes", "stage"),
        report_to=of_run("trackers"),
        engine=of_run("engine", training=True),
    params:
        prompt=of_run("prompt"),
        sampler=of_run("sampler"),
        settings=of_run("stage_settings", "stage"),
        verifier=section("verifier"),
        code=training_code("scripts/train_grpo.py"),
    shell:
        "{resources.launcher} scripts.train_grpo --model {input.model} --parent {input.parent}"
        " --tasks {input.tasks} --band {input.band} --databases {input.databases}"
        " --notes {input.notes} --prompt {params.prompt:q} --sampler {params.sampler}"
        " --engine {resources.engine} --settings {params.settings:q} --verifier {params.verifier:q} --code {params.code}"
        " --work results/{wildcards.run}/{wildcards.stage}/work"
        " --adapter results/{wildcards.run}/{wildcards.stage}/adapter"
        " --checkpoints {output.checkpoints} --probes {output.probes} --training-log {output.training_log}"
        " --timing {output.timing} --step-times {output.step_times}"
        " --wall-minutes {resources.wall_minutes} --gpus {resources.gpu} --report-to {resources.report_to} --log {log}"


rule extract_checkpoint:
    input:
        checkpoints="results/{run}/{stage}/checkpoints.safetensors",
        adapter="results/{run}/{stage}/adapter/adapter.json",
    output:
        multiext(
            "results/{run}/{stage}@{step}/adapter/adapter",
            ".json",
            "_config.json",
            "_model.safetensors",
        ),
    log:
        "results/{run}/{stage}@{step}/logs/extract.log",
    benchmark:
        "results/{run}/{stage}@{step}/benchmarks/extract.tsv"
    conda:
        "../envs/laptop.yaml"
    params:
        code=code_digest("scripts/extract_checkpoint.py"),
    shell:
        "python -m scripts.extract_checkpoint --checkpoints {input.checkpoints}"
        " --adapter results/{wildcards.run}/{wildcards.stage}/adapter --step {wildcards.step}"
        " --output results/{wildcards.run}/{wildcards.stage}@{wildcards.step}/adapter --log {log}"
