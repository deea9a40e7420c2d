// The parts of docs/api.md that the page reads. Every reply carries more than
// this; a key that is optional here is absent where it does not apply.

export type Phase = "training" | "serving";
export type AxisName = "dp" | "tp" | "pp" | "cp" | "ep";
export const kAxes: readonly AxisName[] = ["dp", "tp", "pp", "cp", "ep"];

export interface Problem {
  code: string;
  at: string;
  message: string;
  hint?: string;
}

export type Request = { kind: string } & Record<string, unknown>;
export type Outcome<T> = { ok: true; reply: T } | { ok: false; error: Problem };

export interface Explanation {
  id: string;
  label: string;
  formula: string;
  numbers: string;
  value: number;
  unit: string;
  source: string;
}

export interface Note {
  id: string;
  text: string;
}

export interface Reason {
  id: string;
  have?: number;
  limit?: number;
  says: string;
}

export interface FieldInfo {
  label: string;
  unit?: string;
  type?: "number" | "boolean" | "choice" | "text";
  lower?: number;
  upper?: number;
  integral?: boolean;
  choices?: string[];
}

export type Values = Record<string, unknown>;

export interface Named {
  id: string;
  name?: string;
}

export interface FailureMode {
  id: string;
  title: string;
  symptoms?: string[];
}

export interface ParameterInfo {
  id: string;
  unit: string;
  label?: string;
  lower?: number;
  upper?: number;
  integral?: boolean;
}

export interface Catalog {
  version: string;
  models: (Named & Values)[];
  gpus: (Named & Values)[];
  clusters: (Named & Values)[];
  scenarios: { id: string; title: string; phase: Phase }[];
  algorithms: (string | Named)[];
  operations: (string | Named)[];
  parameters: ParameterInfo[];
  fields: Record<string, Record<string, FieldInfo>>;
  failure_modes: FailureMode[];
  constraints: (string | Named)[];
}

export interface ScenarioDocument {
  id: string;
  title: string;
  phase: Phase;
  prompt: string;
  facts: string[];
  assumptions: Note[];
  model: Values;
  cluster: Values;
  training?: Values;
  serving?: Values;
  min_efficiency?: number;
  source?: string;
}

export interface Question {
  id: string;
  text: string;
  max: number;
  criteria: { id: string; text: string; marks: number }[];
}

export interface ScenarioReply {
  scenario: ScenarioDocument;
  prompt: string;
  facts: string[];
  assumptions: Note[];
  parameters: ParameterInfo[];
  questions: Question[];
}

export interface Summary {
  id?: string;
  title?: string;
  phase: Phase;
  model: Values & { name?: string; parameters?: number; hidden?: number };
  cluster: Values & { gpus: number; hbm_bytes: number };
  training?: Values;
  serving?: Values;
}

export interface Plan {
  gpus?: number;
  dp: number;
  tp: number;
  pp: number;
  cp: number;
  ep: number;
  zero?: number;
  recompute?: string;
  micro_batch?: number;
}

export interface PerGpu {
  weights_bytes: number;
  gradients_bytes?: number;
  optimizer_bytes?: number;
  gathered_bytes?: number;
  state_bytes: number;
  activations_bytes?: number;
  activations_per_layer_bytes?: number;
  embedding_output_bytes?: number;
  logits_bytes?: number;
  working_set_bytes?: number;
  total_bytes: number;
  capacity_bytes: number;
}

export interface Stage extends PerGpu {
  stage: number;
  layers: number;
  in_flight: number;
}

export interface LayerMemory {
  recompute: string;
  activations_per_layer_bytes: number;
  scores_per_layer_bytes?: number;
  working_set_bytes?: number;
}

export interface MemoryReply {
  scenario_summary: Summary;
  parameters: number;
  total_state_bytes: number;
  plan: Plan;
  per_gpu: PerGpu;
  peak_stage?: number;
  stages?: Stage[];
  layer?: LayerMemory[];
  verdict: "fits" | "tight" | "over";
  over_bytes?: number;
  free_bytes?: number;
  largest_micro_batch?: number;
  largest_seq_tokens?: number;
  reasons?: Reason[];
  explain?: Explanation[];
  assumptions?: Note[];
}

export interface CollectiveRow {
  algorithm: string;
  time_s: number;
  alpha_s: number;
  beta_s: number;
  algbw_gbps: number;
  busbw_gbps: number;
  regime: string;
  step_fraction?: number;
}

export interface CollectiveReply {
  op: string;
  bytes: number;
  gpus: number;
  link: { bandwidth_gbps: number; latency_us: number };
  rows: CollectiveRow[];
  default: string;
  best: string;
  step_s?: number;
  step_fraction?: number;
  crossover_bytes?: number;
  explain?: Explanation[];
}

export interface Minimum {
  tier: string;
  volume_bytes: number;
  hidden_by_s: number;
  least_gbps: number;
  most_gbps: number;
  available_gbps: number;
  viable: boolean;
}

export interface AxisCollective {
  axis: AxisName;
  op: string;
  bytes: number;
  calls: number;
  volume_bytes: number;
  total_s: number;
  exposed_s: number;
}

export interface RankedPlan extends Plan {
  rank?: number;
  tied?: boolean;
  micro_batches: number;
  order?: string[];
  placement: Partial<
    Record<AxisName, { tier: string; ranks_per_node: number; nodes: number }>
  >;
  step_s: number;
  tokens_per_s: number;
  speedup?: number;
  mfu?: number;
  hfu?: number;
  statistical_efficiency?: number;
  relative?: number;
  verdict: string;
  memory: PerGpu;
  time: Record<string, number>;
  minimum?: Partial<Record<AxisName, Minimum>>;
  collectives?: AxisCollective[];
  reasons?: Reason[];
  infeasible?: Reason[];
}

export interface PlanReply {
  scenario_summary: Summary;
  binding_constraint: string;
  searched: number;
  feasible: number;
  rejected?: Record<string, number>;
  plans: RankedPlan[];
  rejected_plans?: RankedPlan[];
  explain?: Explanation[];
  assumptions?: Note[];
}

export interface DecodePlan {
  plan: Plan;
  tpot_s: number;
  ttft_s: number;
  weights_s: number;
  kv_s: number;
  collective_s: number;
  hops_s?: number;
  max_tokens: number;
  slo_met: boolean;
  relative?: number;
  reasons?: Reason[];
}

export interface DecodeReply {
  scenario_summary: Summary;
  plan: Plan;
  batch: number;
  context_tokens: number;
  ttft_s: number;
  ttft?: { compute_s: number; collective_s: number };
  tpot_s: number;
  weights_s: number;
  kv_s: number;
  compute_s: number;
  collective_s: number;
  hops_s?: number;
  message_bytes?: number;
  one_all_reduce_s?: number;
  all_reduces?: number;
  algorithm: string;
  kv_bytes_per_token: number;
  weights_bytes_per_gpu?: number;
  kv_bytes_per_gpu?: number;
  max_tokens: number;
  bound: string;
  slo_s?: number;
  slo_met: boolean;
  latency_limit_us?: number;
  largest_batch?: number;
  largest_context_tokens?: number;
  reasons?: Reason[];
  algorithms?: {
    algorithm: string;
    one_all_reduce_s: number;
    tpot_s: number;
    slo_met: boolean;
  }[];
  sweep?: {
    batch: number;
    context_tokens: number;
    tpot_s: number;
    slo_met: boolean;
  }[];
  plans?: DecodePlan[];
  binding_constraint?: string;
  explain?: Explanation[];
  assumptions?: Note[];
}

export interface Threshold {
  parameter: string;
  unit: string;
  current: number;
  value: number;
  direction: "up" | "down";
  changes: string;
  before: string;
  after: string;
}

export interface ThresholdReply {
  thresholds: Threshold[];
  parameters: ParameterInfo[];
}

export interface Criterion {
  id: string;
  score: number;
  max: number;
  verdict: "pass" | "partial" | "fail" | "review";
  note?: string;
  evidence?: { text?: string; read_as?: string };
  says: string;
  hint?: string;
  worked?: string;
  number?: { label: string; value: number; unit: string };
}

export interface QuestionResult {
  id: string;
  score: number;
  max: number;
  criteria: Criterion[];
}

export interface GradeResult {
  source?: string;
  student?: string;
  scenario: string;
  score: number;
  max: number;
  review?: number;
  questions: QuestionResult[];
}

export interface GradeReply {
  version: string;
  rubric_digest: string;
  results: GradeResult[];
  errors?: { source: string; code: string; at: string; message: string }[];
  across?: { note: string; says: string }[];
}
