/** Where samples are instead of history.db, and when this process may add some. */
export interface SamplesElsewhere {
  settings: SamplesSettings
  /** False while another process writes. Samples of that time are taken by that one. */
  mayWrite: () => boolean
}

/** A store with Prometheus remote write and its query API, by `PULSE_SAMPLES_URL`. */
export interface SamplesSettings {
  /** without a slash at the end, a user or a query */
  url: string
  /** the header with the password or token */
  authorization?: string
  /** PEM of the authority that signed its certificate */
  ca?: string
}
