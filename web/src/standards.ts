// Fields that hold no number, which the catalog need not list, and a cluster's
// values under the keys that a request sets.

import type { FieldInfo, Summary, Values } from "./types.js";

export const kFixedFields: Readonly<Record<string, FieldInfo>> = {
  "plan.recompute": {
    label: "Recompute",
    type: "choice",
    choices: ["none", "selective", "full"],
  },
  "plan.cp_method": {
    label: "CP exchange",
    type: "choice",
    choices: ["ring", "all-gather", "ulysses"],
  },
  "plan.sequence_parallel": { label: "Sequence parallel", type: "boolean" },
  "plan.cp_zigzag": { label: "CP balanced (zigzag)", type: "boolean" },
  "training.fused_attention": { label: "Fused attention", type: "boolean" },
  "training.uneven_layers": { label: "Uneven stages", type: "boolean" },
};

interface Tier {
  gpus: number;
  bandwidth_gbps: number;
  latency_us: number;
}

export function cluster_values(cluster: Summary["cluster"]): Values {
  const tiers = (cluster["tiers"] ?? []) as Tier[];
  const [inner, outer] = [tiers[0], tiers[1]];
  return {
    ...cluster,
    hbm_gib: cluster.hbm_bytes / 1024 ** 3,
    gpus_per_node: inner?.gpus,
    intra_bandwidth_gbps: inner?.bandwidth_gbps,
    intra_latency_us: inner?.latency_us,
    inter_bandwidth_gbps: outer?.bandwidth_gbps,
    inter_latency_us: outer?.latency_us,
  };
}
