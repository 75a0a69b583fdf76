import type { ChildProcess } from 'node:child_process'

export interface AboutLab {
  clusters: { name: string; nodes: { name: string; url: string; fingerprint: string }[] }[]
  credentials: { tokenId: string; tokenSecret: string }
  pbs: {
    name: string
    url: string
    fingerprint: string
    credentials: { tokenId: string; tokenSecret: string }
  }[]
  pmg: {
    name: string
    url: string
    fingerprint: string
    credentials: { auditor: { user: string; password: string } }
  }[]
  docker: { name: string; agentId: string }[]
  controlUrl: string
}

export function startLab(args: string[]): Promise<{ child: ChildProcess; lab: AboutLab }>
export function startServer(
  env: Record<string, string>,
  checkout?: string,
  output?: number | 'inherit',
): Promise<{ child: ChildProcess; url: string }>
/** A new API token for a single run. */
export function newToken(): string
type Switches = Record<'pve' | 'pbs' | 'pmg', Record<string, boolean>>
/** All options that are off by default. */
export const everySwitch: Switches
export function connectEstate(url: string, lab: AboutLab, token: string, switches?: Switches): Promise<void>
export function connectAgents(url: string, lab: AboutLab, token: string): Promise<void>
export function activateAlerts(url: string, token: string): Promise<void>
