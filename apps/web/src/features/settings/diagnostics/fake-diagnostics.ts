import type { DiagnosedNode, Diagnostics } from '@pulse/contract'
import { toastQueue } from '../../../ui/toast.ts'

export const aDiagnosedNode = (over: Partial<DiagnosedNode> = {}): DiagnosedNode => ({
  id: 'c1',
  name: 'prod',
  host: 'https://192.0.2.11:8006',
  type: 'pve',
  connected: true,
  authMethod: 'api_token',
  ...over,
})

export const aTokenCheck = (over: Partial<Diagnostics['apiTokens']> = {}): Diagnostics['apiTokens'] => ({
  enabled: true,
  tokenCount: 1,
  hasEnvTokens: false,
  hasLegacyToken: false,
  recommendTokenSetup: false,
  recommendTokenRotation: false,
  legacyDockerHostCount: 0,
  unusedTokenCount: 0,
  notes: [],
  tokens: [
    { id: 't1', name: 'grafana', hint: 'ab12cd…ef34', createdAt: '2026-01-01T10:00:00Z', source: 'user' },
  ],
  usage: [],
  ...over,
})

export const aResult = (over: Partial<Diagnostics> = {}): Diagnostics => ({
  version: '0.1.0',
  runtime: 'node 26.10.0',
  uptime: 93_600,
  errors: [],
  nodes: [],
  pbs: [],
  system: { os: 'linux', arch: 'x64', goVersion: 'node 26.10.0', numCPU: 4, numGoroutine: 31, memoryMB: 96 },
  temperatureProxy: {
    legacySSHDetected: false,
    recommendProxyUpgrade: false,
    socketFound: false,
    proxyReachable: false,
    legacySshKeyCount: 0,
    notes: [],
  },
  temperatures: [],
  apiTokens: aTokenCheck(),
  memorySources: [],
  nodeSnapshots: [],
  guestSnapshots: [],
  notes: [],
  ...over,
})

/** Toasts shown since the last call. */
export function takeToasts(): string[] {
  const shown: string[] = []
  toastQueue.connect(({ text }) => shown.push(text))()
  return shown
}
