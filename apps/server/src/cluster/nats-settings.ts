/** How NATS is reached. */
export interface NatsSettings {
  /** host:port of each server of the cluster */
  servers: readonly string[]
  isEncrypted: boolean
  /** PEM of the authority of their certificates; absent: those of the system */
  ca?: string
  /** text of a credentials file (JWT and NKey seed); absent: none are needed */
  credentials?: string
  /** instead of credentials */
  login?: { user: string; password: string }
}
