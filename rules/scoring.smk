rule sample_rollouts:
    input:
        model=run_model,
        adapter=adapter_of_checkpoint,
        server=run_server,
        tasks="results/{run}/tasks/{database}-{part}.jsonl",
        catalogs=run_catalogs,
        notes=run_notes,
    output:
        rollouts="results/{run}/{checkpoint}/rollouts/{database}-{part}-{scoring}.jsonl",
        timing="results/{run}/{checkpoint}/timings/rollouts-{database}-{part}-{scoring}.json",
    log:
        "results/{run}/{checkpoint}/logs/rollouts-{database}-{part}-{scoring}.log",
    benchmark:
        "results/{run}/{checkpoint}/benchmarks/rollouts-{database}-{part}-{scoring}.tsv"
    conda:
        "../envs/laptop.yaml"
    params:
        prompt=run_setting("prompt"),
        settings=sampling_settings,
        sampler=sampler_kind,
        code=sampling_code("scripts/rollout.py"),
    shell:
        "python -m scripts.rollout --model {input.model} --adapter {input.adapter} --server {input.server}"
        " --tasks {input.tasks} --databases {input.catalogs} --notes {input.notes} --prompt {params.prompt:q}"
        " --sampler {params.sampler} --settings {params.settings:q} --code {params.code}"
        " --work results/{wildcards.run}/{wildcards.checkpoint}/work"
        " --output {output.rollouts} --timing {output.timing} --log {log}"


rule score_rollouts:
    input:
        rollouts="results/{run}/{checkpoint}/rollouts/{database}-{part}-{scoring}.jsonl",
        tasks="results/{run}/tasks/{database}-{part}.jsonl",
        databases=dumps,
    output:
        scores="results/{run}/{checkpoint}/scores/{database}-{part}-{scoring}.jsonl",
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
        " --output {output.scores} --timing {output.timing} --log {log}"
