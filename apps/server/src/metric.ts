/** One Prometheus metric. After a release its name, labels and meaning stay unchanged. */
export interface Metric {
  name: string
  type: 'gauge' | 'counter'
  help: string
  labels: readonly string[]
  /** Called at every scrape. Samples with the same first label follow one another. */
  samples: () => Iterable<Sample>
}

/** An unknown value gives no sample. */
export type Sample = readonly [value: number | boolean | undefined, ...labels: (string | undefined)[]]

type Text = Pick<Metric, 'name' | 'help'>

/** A value that rises and falls. */
export const gauge = (name: string, help: string, value: () => Sample[0]): Metric =>
  single('gauge', { name, help }, value)

/** A value that only rises while the server runs. */
export const counter = (name: string, help: string, value: () => Sample[0]): Metric =>
  single('counter', { name, help }, value)

const single = (type: Metric['type'], text: Text, value: () => Sample[0]): Metric => ({
  ...text,
  type,
  labels: [],
  samples: () => [[value()]],
})
