// Marked answers of the drill, put into the fields of an answer document; the
// marks are those that a person gave under docs/grading.md.
#pragma once

#include <string>

namespace meshwise::testing {

inline std::string marked_answers() {
  std::string all = "[";
  all += R"json({
 "source": "A-01",
 "answer": {
  "scenario": "A",
  "q1": {
   "constraint": "throughput",
   "because": "Memory is fine: 16 B × 8.03e9 = 119.7 GiB of state, + 32 × 0.53 GiB ≈ 17 GiB activations (selective) → ~137 GiB of 192."
  },
  "q2": {
   "dp": 64,
   "tp": 1,
   "pp": 1,
   "zero": 1,
   "micro_batch": 1,
   "global_batch": "262k tokens",
   "unused": [
    {
     "axis": "TP",
     "because": "The model already fits, so cutting the matmuls only buys 4 all-reduces per layer on the critical path."
    }
   ]
  },
  "q3": {
   "dp": {
    "tier": "the DP group covers both: reduce-scatter over the 8 GPUs of a node, then 8-way between nodes",
    "minimum_gbps": "~9.4 GB/s",
    "because": "gradients 16 GB. In the node 2×7/8×16/300 ≈ 94 ms. Between nodes each GPU only carries 2 GB → 70 ms. ≈164 ms altogether, and the backward is ~467 ms. 3.5 GB in (467 − 94) ms"
   }
  },
  "q4": {
   "mode": "the gradient all-reduce stops hiding behind the backward",
   "symptom": "step time creeps from 700 up towards 860 ms and the profiler shows NCCL kernels running after the last backward kernel"
  },
  "q5": {
   "parameter": "sequence length",
   "threshold": "s ≈ 16k",
   "because": "selective activations are 68 GiB"
  }
 },
 "marks": {
  "q1.kind": 3,
  "q1.first": 1,
  "q1.number": 1,
  "q2.product": 1,
  "q2.fits": 1,
  "q2.good": 2,
  "q2.unused": 1,
  "q3.tiers": 2,
  "q3.minimum": 2,
  "q3.why": 1,
  "q4.mode": 3,
  "q4.symptom": 2,
  "q5.parameter": 1,
  "q5.threshold": 1,
  "q5.flips": 3
 }
})json";
  all += R"json(,
{
 "source": "A-03",
 "answer": {
  "scenario": "A",
  "q1": {
   "constraint": "throughput",
   "because": "It fits on one GPU (I get 136.7 GiB with selective recompute: 119.7 state, 17 activations), it is only slow: 700 ms for 4096 tokens."
  },
  "q2": {
   "dp": 32,
   "tp": 2,
   "pp": 1,
   "cp": 1,
   "recompute": "none",
   "global_batch": "131k tokens",
   "unused": [
    {
     "axis": "PP",
     "because": "We have 1 micro-batch per replica, so with p=2 the bubble would be 50 %."
    }
   ]
  },
  "q3": {
   "tp": {
    "tier": "inside the node (pairs of GPUs)",
    "minimum_gbps": "123 GB/s",
    "because": "4 all-reduces per layer × 32 layers = 128, each 33.5 MB → 4.3 GB per step per GPU. At 300 GB/s = 15.6 ms against 350 ms of compute, 4.5 %. If I allow 10 % of the step (35 ms) I need ≥ 123 GB/s, so not RoCE."
   },
   "dp": {
    "tier": "4 of the 32 replicas are in the same node, 8 groups across nodes",
    "minimum_gbps": "15 GB/s",
    "because": "Gradient per rank 8 GB; after the in-node reduce-scatter over 4, 2 GB goes outside: 3.5 GB. Must hide in the backward (~233 ms)"
   }
  },
  "q4": {
   "mode": "TP all-reduce on the critical path",
   "symptom": "gaps between GEMMs filled with all-reduce in the trace, MFU down by more than ~5 points"
  },
  "q5": {
   "parameter": "Model size",
   "threshold": "12B params",
   "because": "16 B·12e9 = 179 GiB + 17 GiB > 192 GiB"
  }
 },
 "marks": {
  "q1.kind": 3,
  "q1.first": 1,
  "q1.number": 1,
  "q2.product": 1,
  "q2.fits": 1,
  "q2.good": 2,
  "q2.unused": 1,
  "q3.tiers": 2,
  "q3.minimum": 2,
  "q3.why": 1,
  "q4.mode": 3,
  "q4.symptom": 2,
  "q5.parameter": 1,
  "q5.threshold": 1,
  "q5.flips": 3
 }
})json";
  all += R"json(,
{
 "source": "A-04",
 "answer": {
  "scenario": "A",
  "q1": {
   "constraint": "Throughput",
   "because": "One GPU holds it (128 GB states + ~18 GB activations = 146 GB < 206 GB)"
  },
  "q2": {
   "dp": 64,
   "tp": 1,
   "pp": 1
  },
  "q3": {
   "dp": {
    "tier": "inter-node RoCE (all 8 nodes)",
    "minimum_gbps": "183 GB/s",
    "because": "Gradients are 16 GB = 128 Gb. They have to go in one step of 0.7 s. We only have 50 GB/s so it is not really viable, but with overlap it's OK"
   }
  },
  "q4": {
   "mode": "all-reduce not overlapped any more",
   "symptom": "step time goes up from 700 ms, \"exposed comm\" in the profiler increases"
  },
  "q5": {
   "parameter": "sequence length",
   "threshold": "32k",
   "because": "the activations are 8× bigger (~136 GiB)"
  }
 },
 "marks": {
  "q1.kind": 3,
  "q1.first": 1,
  "q1.number": 1,
  "q2.product": 1,
  "q2.fits": 1,
  "q2.good": 2,
  "q2.unused": 0,
  "q3.tiers": 2,
  "q3.minimum": 0,
  "q3.why": 1,
  "q4.mode": 3,
  "q4.symptom": 2,
  "q5.parameter": 1,
  "q5.threshold": 1,
  "q5.flips": 1
 }
})json";
  all += R"json(,
{
 "source": "A-09",
 "answer": {
  "scenario": "A",
  "q1": {
   "constraint": "throughput",
   "because": "State ~120 GiB + activations ~17 GiB = 137 GiB so it does fit in the 192 GiB."
  },
  "q2": {
   "dp": 64,
   "tp": 1,
   "pp": 1,
   "micro_batch": 1,
   "global_batch": 1024,
   "unused": [
    {
     "axis": "PP",
     "because": "because of the bubble: a pipeline of 8 stages with few micro-batches wastes most of the step, and we have no memory reason for it"
    }
   ]
  },
  "q3": {
   "dp": {
    "tier": "inter-node",
    "minimum_gbps": "10 GB/s",
    "because": "the gradient sync (16 GB, ~630 ms in a flat ring) happens once in 16 × 700 ms = 11.2 s, that is 5.6 %. Even 10 GB/s would give about 3.2 s on 11.2 s"
   }
  },
  "q4": {
   "mode": "one slow GPU (straggler) makes everyone wait",
   "symptom": "You'd notice it in the loss curve."
  },
  "q5": {
   "parameter": "HBM",
   "threshold": "80 GB",
   "because": "the state alone doesn't fit and we need ZeRO or TP"
  }
 },
 "marks": {
  "q1.kind": 3,
  "q1.first": 1,
  "q1.number": 1,
  "q2.product": 1,
  "q2.fits": 1,
  "q2.good": 0,
  "q2.unused": 1,
  "q3.tiers": 2,
  "q3.minimum": 2,
  "q3.why": 1,
  "q4.mode": 3,
  "q4.symptom": 0,
  "q5.parameter": 1,
  "q5.threshold": 1,
  "q5.flips": 2
 }
})json";
  all += R"json(,
{
 "source": "A-14",
 "answer": {
  "scenario": "A",
  "q1": {
   "constraint": "throughput",
   "because": "137 GiB/192 GiB used on 1 gpu, so mem ok"
  },
  "q2": {
   "dp": "dp64",
   "tp": "tp1",
   "pp": "pp1",
   "micro_batch": "1",
   "global_batch": "262144 tokens",
   "unused": [
    {
     "axis": "pp",
     "because": "m=1 per replica => bubble (p-1)/p, useless"
    }
   ]
  },
  "q3": {
   "dp": {
    "tier": "8 intra x 8 inter",
    "minimum_gbps": "~11 GB/s",
    "because": "grad bf16 = 16.06 GB. intra RS+AG ~94 ms, inter on the 1/8 shard ~70 ms. sum ~164 ms vs bwd 467 ms -> hidden."
   }
  },
  "q4": {
   "mode": "grad sync gets exposed when fabric is congested",
   "symptom": "step time 700 -> 860+ ms, all of it in AllReduce at end of bwd, tokens/s per gpu drops"
  },
  "q5": {
   "parameter": "model size P",
   "threshold": "11.6B",
   "because": "state+act crosses 192 GiB"
  }
 },
 "marks": {
  "q1.kind": 3,
  "q1.first": 1,
  "q1.number": 1,
  "q2.product": 1,
  "q2.fits": 1,
  "q2.good": 2,
  "q2.unused": 1,
  "q3.tiers": 2,
  "q3.minimum": 2,
  "q3.why": 1,
  "q4.mode": 3,
  "q4.symptom": 2,
  "q5.parameter": 1,
  "q5.threshold": 1,
  "q5.flips": 3
 }
})json";
  all += R"json(,
{
 "source": "B-02",
 "answer": {
  "scenario": "B",
  "q1": {
   "constraint": "memory, and it's the training state",
   "because": "969 GiB vs 192 GiB, not the activations"
  },
  "q2": {
   "dp": 64,
   "tp": 1,
   "pp": 1,
   "zero": "ZeRO-3 / FSDP",
   "recompute": "selective",
   "micro_batch": 1,
   "unused": [
    {
     "axis": "Tensor parallel",
     "because": "its 4 all-reduces per layer are on the critical path (about 148 ms per micro-batch for TP=8 against 500 ms of compute)"
    }
   ]
  },
  "q3": {
   "dp": {
    "tier": "hierarchical: between nodes each GPU only pulls 1/8 of the weights, then the in-node part",
    "minimum_gbps": "15 GB/s",
    "because": "42.7 GB → 0.85 s, then the in-node part 3 × 7/8 × 130 = 341 GB at 300 GB/s → 1.14 s. Minimum inter-node BW: 42.7 GB / (4.0 − 1.14) s = 15 GB/s."
   }
  },
  "q4": {
   "mode": "the gathers become exposed (prefetch too short, congested fabric)",
   "symptom": "all-gather kernels with no compute on top of them in the timeline and MFU falling with number of nodes"
  },
  "q5": {
   "parameter": "sequence length",
   "threshold": "8k",
   "because": "85 GiB of activations at s=4096; at s = 8192 it's 170 + 15 = 185"
  }
 },
 "marks": {
  "q1.kind": 3,
  "q1.first": 1,
  "q1.number": 1,
  "q2.product": 1,
  "q2.fits": 1,
  "q2.good": 2,
  "q2.unused": 1,
  "q3.tiers": 2,
  "q3.minimum": 2,
  "q3.why": 1,
  "q4.mode": 3,
  "q4.symptom": 2,
  "q5.parameter": 1,
  "q5.threshold": 1,
  "q5.flips": 3
 }
})json";
  all += R"json(,
{
 "source": "B-06",
 "answer": {
  "scenario": "B",
  "q1": {
   "constraint": "memory",
   "because": "969/8 = 121 GiB is too close to 192"
  },
  "q2": {
   "tp": 16,
   "dp": 4
  },
  "q3": {
   "tp": {
    "tier": "over 2 nodes, InfiniBand with RDMA",
    "because": "TP needs high bandwidth"
   },
   "dp": {
    "tier": "over the other nodes"
   }
  },
  "q4": {
   "mode": "node failure",
   "symptom": "the job crashes"
  },
  "q5": {
   "parameter": "model size",
   "threshold": "130B"
  }
 },
 "marks": {
  "q1.kind": 1.5,
  "q1.first": 1,
  "q1.number": 1,
  "q2.product": 1,
  "q2.fits": 1,
  "q2.good": 1.08,
  "q2.unused": 0,
  "q3.tiers": 2,
  "q3.minimum": 0,
  "q3.why": 0,
  "q4.mode": 3,
  "q4.symptom": 1,
  "q5.parameter": 1,
  "q5.threshold": 1,
  "q5.flips": 0
 }
})json";
  all += R"json(,
{
 "source": "B-08",
 "answer": {
  "scenario": "B",
  "q1": {
   "constraint": "throughput",
   "because": "65B parameters in bf16 are 130 GB, which is 121 GiB, and the GPU has 192 GiB, so the model does fit on one GPU"
  },
  "q2": {
   "dp": 64,
   "tp": 1,
   "pp": 1,
   "zero": "no ZeRO",
   "unused": [
    {
     "axis": "TP",
     "because": "the model fits"
    }
   ]
  },
  "q3": {
   "dp": {
    "tier": "across all nodes",
    "minimum_gbps": "65 GB/s",
    "because": "Gradients: 130 GB, all-reduce on 50 GB/s: 2 × 130/50 = 5.2 s. Compute per step = 4 s. We have 50 GB/s, not enough"
   }
  },
  "q4": {
   "mode": "All-reduce not hidden behind the backward pass",
   "symptom": "exposed NCCL time in profiler, step time > 4 s"
  },
  "q5": {
   "parameter": "model size",
   "threshold": "100B parameters"
  }
 },
 "marks": {
  "q1.kind": 0,
  "q1.first": 1,
  "q1.number": 1,
  "q2.product": 1,
  "q2.fits": 0,
  "q2.good": 0,
  "q2.unused": 0,
  "q3.tiers": 2,
  "q3.minimum": 2,
  "q3.why": 1,
  "q4.mode": 3,
  "q4.symptom": 2,
  "q5.parameter": 1,
  "q5.threshold": 1,
  "q5.flips": 0
 }
})json";
  all += R"json(,
{
 "source": "B-12",
 "answer": {
  "scenario": "B",
  "q1": {
   "constraint": "Memory: state",
   "because": "65 × 16 = 1040 GiB → 1040/192 = 5.4 GPUs minimum"
  },
  "q2": {
   "dp": 8,
   "tp": 8,
   "pp": 1,
   "zero": 0
  },
  "q3": {
   "tp": {
    "tier": "intra-node",
    "minimum_gbps": "150 GB/s",
    "because": "4096 × 8192 × 2 = 67 MB, 320 times per micro-batch. At 300 GB/s it's 147 ms total vs 500 ms compute (23% of the step)"
   },
   "dp": {
    "tier": "inter-node",
    "because": "16 GB gradients per GPU, 0.57 s on 50 GB/s"
   }
  },
  "q4": {
   "mode": "TP comms on critical path",
   "symptom": "MFU lower than expected, NCCL kernels visible between each matmul"
  },
  "q5": {
   "parameter": "HBM size",
   "threshold": "80 GB"
  }
 },
 "marks": {
  "q1.kind": 3,
  "q1.first": 1,
  "q1.number": 1,
  "q2.product": 1,
  "q2.fits": 1,
  "q2.good": 2,
  "q2.unused": 0,
  "q3.tiers": 2,
  "q3.minimum": 1,
  "q3.why": 1,
  "q4.mode": 3,
  "q4.symptom": 2,
  "q5.parameter": 1,
  "q5.threshold": 1,
  "q5.flips": 2
 }
})json";
  all += R"json(,
{
 "source": "B-14",
 "answer": {
  "scenario": "B",
  "q1": {
   "constraint": "memory, the model states",
   "because": "969 GiB in total, this is five time more than what the HBM (192 GiB) can contain"
  },
  "q2": {
   "dp": 4,
   "tp": 8,
   "pp": 2,
   "unused": [
    {
     "axis": "context parallel",
     "because": "the sequence is short (4096)"
    }
   ]
  },
  "q3": {
   "tp": {
    "tier": "inside of the node",
    "minimum_gbps": "150 GB/s",
    "because": "its message of 67 MB is exchanged 4 times by layer. 37.6 GB for each GPU and in 0.5 second of computation"
   },
   "pp": {
    "tier": "between two nodes",
    "because": "67 MB, it is negligible"
   },
   "dp": {
    "tier": "between the nodes",
    "because": "gradients of 8 GB by GPU"
   }
  },
  "q4": {
   "mode": "pipeline bubble",
   "symptom": "we get an out of memory on the last stage"
  },
  "q5": {
   "parameter": "model size",
   "threshold": "130B"
  }
 },
 "marks": {
  "q1.kind": 3,
  "q1.first": 1,
  "q1.number": 1,
  "q2.product": 1,
  "q2.fits": 1,
  "q2.good": 2,
  "q2.unused": 1,
  "q3.tiers": 2,
  "q3.minimum": 0.67,
  "q3.why": 1,
  "q4.mode": 3,
  "q4.symptom": 0,
  "q5.parameter": 1,
  "q5.threshold": 1,
  "q5.flips": 1
 }
})json";
  all += R"json(,
{
 "source": "B-16",
 "answer": {
  "scenario": "B",
  "q1": {
   "constraint": "memory; to be precise the 16 B/param state",
   "because": "1.04 TB ≈ 969 GiB. One GPU = 192 GiB."
  },
  "q2": {
   "dp": 16,
   "tp": 4,
   "pp": 1,
   "zero": "FSDP (ZeRO-3)",
   "recompute": "selective",
   "micro_batch": 4,
   "unused": [
    {
     "axis": "pipeline",
     "because": "there's no bubble to tune then, and state is already fully sharded"
    }
   ]
  },
  "q3": {
   "tp": {
    "tier": "within a node",
    "minimum_gbps": "130 GB/s",
    "because": "320 all-reduces of 268 MB, ring factor 1.5 → 129 GB; compute ≈ 4.0 s. I let it take at most 20 % of the step, i.e. 1 s"
   },
   "dp": {
    "tier": "mostly across nodes (2 in the node × 8)",
    "minimum_gbps": "11 GB/s",
    "because": "inter-node part 3 × 7/8 × 16.25 = 42.7 GB per micro-batch, to be hidden below 4.0 s"
   }
  },
  "q4": {
   "mode": "exposed ZeRO-3 gathers",
   "symptom": "all-gather bars not covered by GEMMs in nsys, tokens/s drop"
  },
  "q5": {
   "parameter": "intra-node bandwidth",
   "threshold": "100 GB/s",
   "direction": "or lower"
  }
 },
 "marks": {
  "q1.kind": 3,
  "q1.first": 1,
  "q1.number": 1,
  "q2.product": 1,
  "q2.fits": 1,
  "q2.good": 2,
  "q2.unused": 1,
  "q3.tiers": 2,
  "q3.minimum": 2,
  "q3.why": 1,
  "q4.mode": 3,
  "q4.symptom": 2,
  "q5.parameter": 1,
  "q5.threshold": 1,
  "q5.flips": 3
 }
})json";
  all += R"json(,
{
 "source": "C-08",
 "answer": {
  "scenario": "C",
  "q1": {
   "constraint": "activation memory",
   "because": "s² term: 5·a·s²·b = 2.75 TB per layer (2560 GiB) and the linear 17 GiB. Total > 80 TiB. With selective recompute 544 GiB."
  },
  "q2": {
   "dp": 1,
   "tp": 8,
   "pp": 8,
   "global_batch": 8,
   "unused": [
    {
     "axis": "CP",
     "because": "our framework (Megatron) already does sequence parallel with TP"
    }
   ]
  },
  "q3": {
   "tp": {
    "tier": "intra",
    "minimum_gbps": "81 GB/s",
    "because": "1.07 GB messages, 4/layer; 240 GB for the whole model per sequence. Computation of one sequence on 8 GPUs ~6.9 s"
   },
   "pp": {
    "tier": "inter",
    "minimum_gbps": "1 GB/s",
    "because": "1.07 GB (134 MB with SP) every micro-batch"
   }
  },
  "q4": {
   "mode": "pipeline bubble: 7/(m+7) with m = 8 sequences it's 47 %",
   "symptom": "half of the time the GPUs are idle, power draw drops periodically"
  },
  "q5": {
   "parameter": "critical batch",
   "threshold": "~16M tokens"
  }
 },
 "marks": {
  "q1.kind": 3,
  "q1.first": 1,
  "q1.number": 1,
  "q2.product": 1,
  "q2.fits": 1,
  "q2.good": 0,
  "q2.unused": 0,
  "q3.tiers": 2,
  "q3.minimum": 2,
  "q3.why": 1,
  "q4.mode": 3,
  "q4.symptom": 2,
  "q5.parameter": 1,
  "q5.threshold": 1,
  "q5.flips": 0
 }
})json";
  all += R"json(,
{
 "source": "C-11",
 "answer": {
  "scenario": "C",
  "q1": {
   "constraint": "activation memory",
   "because": "2577 GiB per layer"
  },
  "q2": {
   "tp": 64,
   "dp": 1,
   "pp": 1
  },
  "q3": {
   "tp": {
    "tier": "over all nodes",
    "minimum_gbps": "300 GB/s",
    "because": "so we need NVLink between nodes also, what we have is not enough"
   }
  },
  "q4": {
   "mode": "communication becomes bottleneck",
   "symptom": "low MFU"
  },
  "q5": {
   "parameter": "sequence length",
   "threshold": "4096"
  }
 },
 "marks": {
  "q1.kind": 3,
  "q1.first": 1,
  "q1.number": 1,
  "q2.product": 1,
  "q2.fits": 0,
  "q2.good": 0,
  "q2.unused": 0,
  "q3.tiers": 2,
  "q3.minimum": 2,
  "q3.why": 0,
  "q4.mode": 1.5,
  "q4.symptom": 1,
  "q5.parameter": 1,
  "q5.threshold": 1,
  "q5.flips": 1
 }
})json";
  all += R"json(,
{
 "source": "C-12",
 "answer": {
  "scenario": "C",
  "q1": {
   "constraint": "Activation memory",
   "because": "2560 GiB only for attention scores of one layer, + 17 GiB."
  },
  "q2": {
   "cp": 64,
   "unused": [
    {
     "axis": "TP",
     "because": "the weights fit in a GPU"
    }
   ]
  },
  "q3": {
   "cp": {
    "tier": "inter-node tier",
    "minimum_gbps": "50 GB/s",
    "because": "8.4 MB = 67 Mb per hop. 405 Gb per step. Compute step ~0.86 s"
   }
  },
  "q4": {
   "mode": "Ring attention communication isn't hidden behind the compute",
   "symptom": "exposed send/recv time, step time much bigger than 0.86 s"
  },
  "q5": {
   "parameter": "Sequence length",
   "threshold": "256K"
  }
 },
 "marks": {
  "q1.kind": 3,
  "q1.first": 1,
  "q1.number": 1,
  "q2.product": 1,
  "q2.fits": 1,
  "q2.good": 1.43,
  "q2.unused": 1,
  "q3.tiers": 2,
  "q3.minimum": 2,
  "q3.why": 1,
  "q4.mode": 3,
  "q4.symptom": 2,
  "q5.parameter": 1,
  "q5.threshold": 1,
  "q5.flips": 0
 }
})json";
  all += R"json(,
{
 "source": "D-06",
 "answer": {
  "scenario": "D",
  "q1": {
   "constraint": "Latency",
   "because": "each GPU has only 20 GiB weights to read"
  },
  "q2": {
   "tp": 16,
   "dp": 4
  },
  "q3": {
   "tp": {
    "tier": "over 2 nodes using NVLink + IB",
    "minimum_gbps": "10 GB/s",
    "because": "24 KB/50 GB/s = 0.5 us"
   }
  },
  "q4": {
   "mode": "KV cache full",
   "symptom": "out of memory, requests get preempted"
  },
  "q5": {
   "parameter": "TPOT SLO",
   "threshold": "50 ms"
  }
 },
 "marks": {
  "q1.kind": 3,
  "q1.phases": 0,
  "q1.number": 1,
  "q2.product": 1,
  "q2.fits": 1,
  "q2.good": 0,
  "q2.unused": 0,
  "q3.tiers": 2,
  "q3.minimum": 0,
  "q3.why": 1,
  "q4.mode": 3,
  "q4.symptom": 2,
  "q5.parameter": 1,
  "q5.threshold": 1,
  "q5.flips": 0
 }
})json";
  all += R"json(,
{
 "source": "D-07",
 "answer": {
  "scenario": "D",
  "q1": {
   "constraint": "Latency",
   "because": "25 ms SLO per token. Both prefill and decode have the same bottleneck, they run the same layers: the memory bandwidth for reading the weights."
  },
  "q2": {
   "tp": 8,
   "pp": 1,
   "dp": 8,
   "unused": [
    {
     "axis": "PP",
     "because": "it doesn't reduce latency of a single token"
    }
   ]
  },
  "q3": {
   "tp": {
    "tier": "intra-node",
    "maximum_us": "about 5 us per hop",
    "because": "192 per token, ring latency 14 × 5 us = 70 us → 13.4 ms"
   }
  },
  "q4": {
   "mode": "TP latency floor: all-reduces have fixed cost",
   "symptom": "TPOT doesn't go down when batch goes from 8 to 1"
  },
  "q5": {
   "parameter": "Weights precision",
   "threshold": "int8"
  }
 },
 "marks": {
  "q1.kind": 3,
  "q1.phases": 0,
  "q1.number": 0,
  "q2.product": 1,
  "q2.fits": 1,
  "q2.good": 2,
  "q2.unused": 1,
  "q3.tiers": 2,
  "q3.minimum": 2,
  "q3.why": 1,
  "q4.mode": 3,
  "q4.symptom": 2,
  "q5.parameter": 1,
  "q5.threshold": 1,
  "q5.flips": 2
 }
})json";
  all += R"json(,
{
 "source": "D-09",
 "answer": {
  "scenario": "D",
  "q1": {
   "constraint": "latency",
   "because": "decode is bound by HBM bandwidth (weights read each token), prefill by compute"
  },
  "q2": {
   "tp": 4,
   "pp": 2,
   "unused": [
    {
     "axis": "DP",
     "because": "one replica is enough for batch 8"
    }
   ]
  },
  "q3": {
   "tp": {
    "tier": "intra-node",
    "maximum_us": "12 µs per hop",
    "because": "30 µs × 192 = 5.8 ms of 25 ms"
   },
   "pp": {
    "tier": "intra-node",
    "because": "PP one hop, 5 µs"
   }
  },
  "q4": {
   "mode": "KV cache growth with context",
   "symptom": "TPOT is increasing with context length, preemption events in the server log"
  },
  "q5": {
   "parameter": "context length",
   "threshold": "long",
   "because": "KV is 4.7 MB per token"
  }
 },
 "marks": {
  "q1.kind": 3,
  "q1.phases": 1,
  "q1.number": 0,
  "q2.product": 1,
  "q2.fits": 1,
  "q2.good": 0,
  "q2.unused": 1,
  "q3.tiers": 2,
  "q3.minimum": 0,
  "q3.why": 1,
  "q4.mode": 3,
  "q4.symptom": 2,
  "q5.parameter": 1,
  "q5.threshold": 0,
  "q5.flips": 0
 }
})json";
  all += R"json(,
{
 "source": "D-12",
 "answer": {
  "scenario": "D",
  "q1": {
   "constraint": "latency",
   "because": "in the decode phase every token has to read all the weights, so HBM bandwidth. Prefill: compute bound."
  },
  "q2": {
   "tp": 8,
   "dp": 8,
   "unused": [
    {
     "axis": "PP",
     "because": "in PP token waits for each stage"
    }
   ]
  },
  "q3": {
   "tp": {
    "tier": "intra-node",
    "minimum_gbps": "2 GB/s",
    "because": "12288 × 2 = 24 KB. 24 KB / 300 GB/s"
   }
  },
  "q4": {
   "mode": "Batch 1 under-uses the GPUs",
   "symptom": "SM utilization is low, tokens/s per GPU very low"
  },
  "q5": {
   "parameter": "TPOT SLO",
   "threshold": "50 ms"
  }
 },
 "marks": {
  "q1.kind": 3,
  "q1.phases": 1,
  "q1.number": 0,
  "q2.product": 1,
  "q2.fits": 1,
  "q2.good": 2,
  "q2.unused": 1,
  "q3.tiers": 2,
  "q3.minimum": 0,
  "q3.why": 1,
  "q4.mode": 3,
  "q4.symptom": 2,
  "q5.parameter": 1,
  "q5.threshold": 1,
  "q5.flips": 0
 }
})json";
  all += R"json(,
{
 "source": "D-13",
 "answer": {
  "scenario": "D",
  "q1": {
   "constraint": "latency → TPOT",
   "because": "decode: weight streaming + α of collectives. prefill: FLOPs. KV: capacity."
  },
  "q2": {
   "tp": 8,
   "pp": 1,
   "dp": 8,
   "unused": [
    {
     "axis": "CP/ring",
     "because": "nothing to hide it behind for one query token"
    },
    {
     "axis": "PP",
     "because": "serial"
    }
   ]
  },
  "q3": {
   "tp": {
    "tier": "on xGMI/NVLink",
    "algorithm": "tree",
    "maximum_us": "≈ 10 µs",
    "because": "6 hops × 5 µs = 30 µs, × 192 = 5.8–6 ms. HBM 4 TB/s → 10.9 ms"
   }
  },
  "q4": {
   "mode": "KV exhaustion on long chats",
   "symptom": "preemption count > 0 / cache usage 100 %, TPOT p99 ↑ with context"
  },
  "q5": {
   "parameter": "hop latency",
   "threshold": "> 10 µs"
  }
 },
 "marks": {
  "q1.kind": 3,
  "q1.phases": 1,
  "q1.number": 0,
  "q2.product": 1,
  "q2.fits": 1,
  "q2.good": 2,
  "q2.unused": 1,
  "q3.tiers": 2,
  "q3.minimum": 2,
  "q3.why": 1,
  "q4.mode": 3,
  "q4.symptom": 2,
  "q5.parameter": 1,
  "q5.threshold": 1,
  "q5.flips": 3
 }
})json";
  return all + "]";
}

}  // namespace meshwise::testing
