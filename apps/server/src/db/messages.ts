import type { ThreadReply } from '../worker-thread.ts'

/** Messages between the product and the thread that owns a database file. */
export interface Statement {
  sql: string
  parameters: readonly unknown[]
}

export interface StatementResult {
  rows: Record<string, unknown>[]
  changes: number
}

export type Request =
  | { id: number; do: 'run'; statements: Statement[] }
  /** as many of its rows as an answer can contain, at least one */
  | { id: number; do: 'page'; statement: Statement }
  | { id: number; do: 'backup'; to: string }
  | { id: number; do: 'copy'; to: string; nowMs: number }
  | { id: number; do: 'close' }

export type Reply = ThreadReply<StatementResult[]>

export interface WorkerSetup {
  file: string
  /** after a power cut, FULL keeps every committed row; NORMAL may lose the newest rows */
  synchronous: 'FULL' | 'NORMAL'
}
