/** Where the account of a site has what it may use of JetStream. */
export const siteApiPrefix = 'PULSE.API'

/** How NATS is reached. */
export interface NatsSettings {
  /** host:port of each server of the cluster */
  servers: readonly string[]
  isEncrypted: boolean
  /** PEM of the authority of their certificates, which makes the lines encrypted ones too; absent: those of the system */
  ca?: string
  /** text of a credentials file (JWT and NKey seed); absent: none are needed */
  credentials?: string
  /** where the account has the parts of JetStream that another account shares with it; absent: its own */
  apiPrefix?: string
  /** instead of credentials */
  login?: { user: string; password: string }
}
