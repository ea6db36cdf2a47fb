rule measure_band:
    input:
        model=run_model,
        adapter=adapter_of_band,
        tasks=train_tasks,
        databases=run_dumps,
        catalogs=run_catalogs,
        notes=run_notes,
    output:
        band="results/{run}/{stage}/band.jsonl",
        timing="results/{run}/{stage}/timings/band.json",
    log:
        "results/{run}/{stage}/logs/band.log",
    benchmark:
        "results/{run}/{stage}/benchmarks/band.tsv"
    conda:
        "../envs/laptop.yaml"
    params:
        prompt=run_setting("prompt"),
        sampler=sampler_kind,
        band=stage_setting("band"),
        verifier=section("verifier"),
        code=sampling_code("scripts/measure_band.py"),
    shell:
        "python -m scripts.measure_band --model {input.model} --adapter {input.adapter}"
        " --tasks {input.tasks} --databases {input.databases} --notes {input.notes}"
        " --prompt {params.prompt:q} --sampler {params.sampler} --band {params.band:q}"
        " --verifier {params.verifier:q} --code {params.code}"
        " --work results/{wildcards.run}/{wildcards.stage}/work"
        " --output {output.band} --timing {output.timing} --log {log}"


rule collect_replies:
    input:
        model=run_model,
        adapter=adapter_of_parent,
        tasks=train_tasks,
        databases=run_dumps,
        catalogs=run_catalogs,
        notes=run_notes,
    output:
        replies="results/{run}/{stage}/replies.jsonl",
        timing="results/{run}/{stage}/timings/replies.json",
    log:
        "results/{run}/{stage}/logs/replies.log",
    benchmark:
        "results/{run}/{stage}/benchmarks/replies.tsv"
    conda:
        "../envs/laptop.yaml"
    params:
        prompt=run_setting("prompt"),
        sampler=sampler_kind,
        collection=stage_setting("collection"),
        verifier=section("verifier"),
        code=sampling_code("scripts/collect_replies.py"),
    shell:
        "python -m scripts.collect_replies --model {input.model} --adapter {input.adapter}"
        " --tasks {input.tasks} --databases {input.databases} --notes {input.notes}"
        " --prompt {params.prompt:q} --sampler {params.sampler} --collection {params.collection:q}"
        " --verifier {params.verifier:q} --code {params.code}"
        " --work results/{wildcards.run}/{wildcards.stage}/work"
        " --output {output.replies} --timing {output.timing} --log {log}"


rule train_sft:
    input:
        model=run_model,
        parent=adapter_of_parent,
        tasks=train_tasks,
        replies=replies_of_stage,
        catalogs=run_catalogs,
        notes=run_notes,
    output:
        adapter=multiext(
            "results/{run}/{stage}/adapter/adapter",
            ".json",
            "_config.json",
            "_model.safetensors",
        ),
        checkpoints="results/{run}/{stage}/checkpoints.safetensors",
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
        "../envs/laptop.yaml"
    resources:
        wall_minutes=wall_minutes,
        report_to=report_to,
    params:
        prompt=run_setting("prompt"),
        settings=stage_setting("stage_settings"),
        code=code_digest("scripts/train_sft.py"),
    shell:
        "python -m scripts.train_sft --model {input.model} --parent {input.parent}"
        " --tasks {input.tasks} --replies {input.replies} --databases {input.catalogs} --notes {input.notes}"
        " --prompt {params.prompt:q} --settings {params.settings:q} --code {params.code}"
        " --work results/{wildcards.run}/{wildcards.stage}/work"
        " --adapter results/{wildcards.run}/{wildcards.stage}/adapter"
        " --checkpoints {output.checkpoints} --training-log {output.training_log}"
        " --timing {output.timing} --step-times {output.step_times}"
        " --wall-minutes {resources.wall_minutes} --report-to {resources.report_to} --log {log}"


rule train_grpo:
    input:
        model=run_model,
        parent=adapter_of_parent,
        tasks=train_tasks,
        band="results/{run}/{stage}/band.jsonl",
        databases=run_dumps,
        catalogs=run_catalogs,
        notes=run_notes,
    output:
        adapter=multiext(
            "results/{run}/{stage}/adapter/adapter",
            ".json",
            "_config.json",
            "_model.safetensors",
        ),
        checkpoints="results/{run}/{stage}/checkpoints.safetensors",
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
        "../envs/laptop.yaml"
    resources:
        wall_minutes=wall_minutes,
        report_to=report_to,
    params:
        prompt=run_setting("prompt"),
        sampler=sampler_kind,
        settings=stage_setting("stage_settings"),
        verifier=section("verifier"),
        code=training_code("scripts/train_grpo.py"),
    shell:
        "python -m scripts.train_grpo --model {input.model} --parent {input.parent}"
        " --tasks {input.tasks} --band {input.band} --databases {input.databases}"
        " --notes {input.notes} --prompt {params.prompt:q} --sampler {params.sampler}"
        " --settings {params.settings:q} --verifier {params.verifier:q} --code {params.code}"
        " --work results/{wildcards.run}/{wildcards.stage}/work"
        " --adapter results/{wildcards.run}/{wildcards.stage}/adapter"
        " --checkpoints {output.checkpoints} --training-log {output.training_log}"
        " --timing {output.timing} --step-times {output.step_times}"
        " --wall-minutes {resources.wall_minutes} --report-to {resources.report_to} --log {log}"


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
