import type { ConnectionOptions } from 'node:tls'

/** How a PostgreSQL server is reached, in the words of its driver. */
export interface PostgresSettings {
  /** or the folder of its Unix socket */
  host: string
  port: number
  user: string
  database: string
  password?: string
  /** false: not encrypted */
  ssl: false | ConnectionOptions
}
