rule check_parity:
    input:
        model=of_run("model"),
        adapter=of_run("adapter_files", "checkpoint"),
        probes=of_run("product_of_checkpoint", "checkpoint", name="probes.jsonl"),
        checkpoints=of_run(
            "product_of_checkpoint", "checkpoint", name="checkpoints.safetensors"
        ),
        parent=of_run("parent_of_checkpoint", "checkpoint"),
        tasks=of_run("tasks", part="train"),
        databases=of_run("training_databases"),
        catalogs=of_run("training_catalogs"),
        notes=of_run("notes"),
    output:
        parity=report(
            "results/{run}/{checkpoint}/parity.json",
            caption="../report/parity.rst",
            category="Served as trained",
            labels={"run": "{run}", "checkpoint": "{checkpoint}"},
        ),
        timing="results/{run}/{checkpoint}/timings/parity.json",
    log:
        "results/{run}/{checkpoint}/logs/parity.log",
    benchmark:
        "results/{run}/{checkpoint}/benchmarks/parity.tsv"
    conda:
        environment
    resources:
        gpu=of_run("gpus"),
        mem_mb=of_run("memory_mb"),
        engine=of_run("engine", training=False),
    params:
        prompt=of_run("prompt"),
        sampler=of_run("sampler"),
        settings=of_run("parity", "checkpoint"),
        verifier=section("verifier"),
        code=sampling_code("scripts/check_parity.py"),
    shell:
        "python -m scripts.check_parity --model {input.model} --adapter {input.adapter}"
        " --probes {input.probes} --checkpoints {input.checkpoints} --parent {input.parent}"
        " --tasks {input.tasks} --databases {input.databases} --notes {input.notes}"
        " --prompt {params.prompt:q} --sampler {params.sampler} --engine {resources.engine}"
        " --gpus {resources.gpu} --settings {params.settings:q} --verifier {params.verifier:q} --code {params.code}"
        " --work results/{wildcards.run}/{wildcards.checkpoint}/work"
        " --output {output.parity} --timing {output.timing} --log {log}"


rule sample_rollouts:
    input:
        model=of_run("model"),
        adapter=of_run("adapter_files", "checkpoint"),
        parity=of_run("parity_files", "checkpoint"),
        tasks="results/{run}/tasks/{database}-{part}.jsonl",
        catalogs=of_settings(database_catalogs, "database"),
        notes=of_settings(notes_file, "database"),
    output:
        rollouts="results/{run}/{checkpoint}/rollouts/{database}-{part}-{scoring}.jsonl",
        origin="results/{run}/{checkpoint}/rollouts/{database}-{part}-{scoring}.origin.json",
        timing="results/{run}/{checkpoint}/timings/rollouts-{database}-{part}-{scoring}.json",
    log:
        "results/{run}/{checkpoint}/logs/rollouts-{database}-{part}-{scoring}.log",
    benchmark:
        "results/{run}/{checkpoint}/benchmarks/rollouts-{database}-{part}-{scoring}.tsv"
    conda:
        environment
    resources:
        gpu=of_run("gpus"),
        mem_mb=of_run("memory_mb"),
        engine=of_run("engine", training=False),
        server=of_run("server"),
    params:
        prompt=of_run("prompt"),
        settings=of_run("sampling", "part", "scoring"),
        sampler=of_run("sampler"),
        code=sampling_code("scripts/rollout.py"),
    shell:
        "python -m scripts.rollout --model {input.model} --adapter {input.adapter} --server {resources.server}"
        " --tasks {input.tasks} --databases {input.catalogs} --notes {input.notes} --prompt {params.prompt:q}"
        " --sampler {params.sampler} --engine {resources.engine} --gpus {resources.gpu}"
        " --settings {params.settings:q} --code {params.code}"
        " --work results/{wildcards.run}/{wildcards.checkpoint}/work"
        " --output {output.rollouts} --timing {output.timing} --log {log}"


rule score_rollouts:
    input:
        rollouts="results/{run}/{checkpoint}/rollouts/{database}-{part}-{scoring}.jsonl",
        origin="results/{run}/{checkpoint}/rollouts/{database}-{part}-{scoring}.origin.json",
        tasks="results/{run}/tasks/{database}-{part}.jsonl",
        databases=of_settings(database_files, "database"),
    output:
        scores="results/{run}/{checkpoint}/scores/{database}-{part}-{scoring}.jsonl",
        origin="results/{run}/{checkpoint}/scores/{database}-{part}-{scoring}.origin.json",
        timing="results/{run}/{checkpoint}/timings/scores-{database}-{part}-{scoring}.json",
    log:
        "results/{run}/{checkpoint}/logs/scores-{database}-{part}-{scoring}.log",
    benchmark:
        "results/{run}/{checkpoint}/benchmarks/scores-{database}-{part}-{scoring}.tsv"
    conda:
        "../envs/laptop.yaml"
    params:
        verifier=section("verifier"),
        code=code_digest("scripts/score.py"),
    shell:
        "python -m scripts.score --rollouts {input.rollouts} --tasks {input.tasks}"
        " --databases {input.databases} --settings {params.verifier:q}"
        " --code {params.code} --output {output.scores} --timing {output.timing} --log {log}"


rule describe_prompts:
    input:
        model=of_run("model"),
        train_tasks=of_run("tasks", part="train"),
        dev_tasks=of_run("tasks", part="dev"),
        catalogs=of_run("training_catalogs"),
        notes=of_run("notes"),
    output:
        "results/{run}/prompts.json",
    log:
        "results/{run}/logs/prompts.log",
    benchmark:
        "results/{run}/benchmarks/prompts.tsv"
    conda:
        "../envs/laptop.yaml"
    params:
        prompt=of_run("prompt"),
        sampler=of_run("sampler"),
        code=sampling_code("scripts/describe_prompts.py"),
    shell:
        "python -m scripts.describe_prompts --model {input.model} --train-tasks {input.train_tasks}"
        " --dev-tasks {input.dev_tasks} --databases {input.catalogs} --notes {input.notes}"
        " --prompt {params.prompt:q} --sampler {params.sampler} --output {output} --log {log}"
