import type { DiagnosedBackupServer, DiagnosedNode } from '@pulse/contract'

/** A connection as a run found it. */
export type DiagnosedSource = DiagnosedNode | (DiagnosedBackupServer & { type: 'pbs' })
