/** Clocks of processes are set up to three days ahead or back. */
const aroundMs = 4 * 86_400_000

interface Answer {
  data: { result: { metric: { id: string }; value: [at: number, count: string] }[] }
}

/** How many samples the store has of the CPU of each node, by whichever clock. */
export async function samplesIn(url: string): Promise<Map<string, number>> {
  await fetch(`${url}/internal/force_flush`)
  const asked = new URLSearchParams({
    query: `count_over_time(pulse_node_cpu[${2 * aroundMs}ms])`,
    time: String((Date.now() + aroundMs) / 1_000),
  })
  const { data } = (await (await fetch(`${url}/api/v1/query?${asked}`)).json()) as Answer
  return new Map(data.result.map(({ metric, value: [, count] }) => [metric.id, Number(count)]))
}
