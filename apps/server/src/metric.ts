/** One metric as Prometheus knows it. Its name, its labels and what it counts stay as they are once they were released. */
export interface Metric {
  name: string
  type: 'gauge' | 'counter'
  help: string
  labels: readonly string[]
  /** Asked with every scrape. Samples with the same first label come one after the other. */
  samples: () => Iterable<Sample>
}

/** What is unknown is no sample. */
export type Sample = readonly [value: number | boolean | undefined, ...labels: (string | undefined)[]]

type Text = Pick<Metric, 'name' | 'help'>

/** One that goes up and down. */
export const gauge = (name: string, help: string, value: () => Sample[0]): Metric =>
  single('gauge', { name, help }, value)

/** One that only grows while the server runs. */
export const counter = (name: string, help: string, value: () => Sample[0]): Metric =>
  single('counter', { name, help }, value)

const single = (type: Metric['type'], text: Text, value: () => Sample[0]): Metric => ({
  ...text,
  type,
  labels: [],
  samples: () => [[value()]],
})
