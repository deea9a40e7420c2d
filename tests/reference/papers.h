// Figures printed in papers, analytic unless said otherwise. Each table keeps
// its paper's own units and rounding.
#pragma once

namespace meshwise::reference {

// Rajbhandari et al. 2020 (arXiv:1910.02054), table 1: model state a device in
// GB of 1e9 bytes, 16-bit training with Adam, by data-parallel degree. Values
// are printed to three figures, some of them cut instead of rounded (4187 for
// 4187.5, 2218 for 2218.75).
struct ZeroState {
  double parameters;
  int dp;
  double stage1_gb, stage2_gb, stage3_gb;
};
inline constexpr ZeroState kZeroTable1[] = {
    {7.5e9, 1, 120, 120, 120},      {7.5e9, 4, 52.5, 41.3, 30},
    {7.5e9, 16, 35.6, 21.6, 7.5},   {7.5e9, 64, 31.4, 16.6, 1.88},
    {7.5e9, 256, 30.4, 15.4, 0.47}, {7.5e9, 1024, 30.1, 15.1, 0.12},
    {128e9, 1, 2048, 2048, 2048},   {128e9, 4, 896, 704, 512},
    {128e9, 16, 608, 368, 128},     {128e9, 64, 536, 284, 32},
    {128e9, 256, 518, 263, 8},      {128e9, 1024, 513, 257, 2},
    {1e12, 1, 16000, 16000, 16000}, {1e12, 4, 7000, 5500, 4000},
    {1e12, 16, 4750, 2875, 1000},   {1e12, 64, 4187, 2218, 250},
    {1e12, 256, 4046, 2054, 62.5},  {1e12, 1024, 4011, 2013, 15.6},
};

// Korthikanti et al. 2022 (arXiv:2205.05198): configurations of table 3, all
// with a sequence of 2048, a vocabulary of 51200 and tp = 8; memory of figure
// 1 in GiB (18 bytes a parameter over 12 L h^2 parameters; activations of the
// first stage with interleaving); activations of figure 7 in percent of
// tensor parallelism alone, read off the figure to about 0.15 points.
struct ActivationStudy {
  const char* name;
  int heads, hidden, layers, pp, micro_batch, virtual_stages, global_batch;
  double state_gib, baseline_gib, present_gib;
  double sequence_percent, selective_percent, both_percent, full_percent;
};
inline constexpr ActivationStudy kKorthikanti[] = {
    {"22B", 64, 6144, 48, 1, 4, 1, 4, 45.5625, 59.25, 9.5625, 66.84, 49.42,
     16.18, 7.64},
    {"175B", 96, 12288, 96, 8, 1, 3, 64, 45.5625, 66.84375, 12.3515625, 62.04,
     56.53, 18.49, 8.71},
    {"530B", 128, 20480, 105, 35, 1, 3, 280, 31.640625, 114.0234375,
     23.076171875, 58.31, 62.04, 20.27, 9.42},
    {"1T", 160, 25600, 128, 64, 1, 1, 512, 32.958984375, 131.25, 26.5625, 58.31,
     62.04, 20.27, 9.42},
};

// Narayanan et al. 2021 (arXiv:2104.04473), table 1 and the formulas of
// section 5.1: parameters P = 12Lh^2(1 + 13/12h + (V + s)/12Lh), FLOPs of an
// iteration with full recompute F = 96BsLh^2(1 + s/6h + V/16Lh), for a
// sequence of 2048 and a vocabulary of 51200. P leaves out the last norm's 2h.
struct MegatronRun {
  double billions;  // printed
  int heads, hidden, layers, global_batch;
  double parameters, iteration_flops;
};
inline constexpr MegatronRun kNarayanan[] = {
    {18.4, 48, 6144, 40, 1024, 18449743872, 3.2483971531014144e17},
    {76.1, 80, 10240, 60, 1792, 76050718720, 2.3020474950746112e18},
    {145.6, 96, 12288, 80, 2304, 145622237184, 5.641682123048877e18},
    {310.1, 128, 16384, 96, 2160, 310130507776, 1.1194006936108399e19},
    {529.6, 128, 20480, 105, 2520, 529600778240, 2.221594167685939e19},
};

}  // namespace meshwise::reference
