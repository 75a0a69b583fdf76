import type { DiscoveredServer, NodeConfig } from '@pulse/contract'

/** What the dialog is about: a node that exists, a server that was found, or nothing yet. */
export interface NodeDialogSubject {
  node?: NodeConfig
  server?: DiscoveredServer
}
