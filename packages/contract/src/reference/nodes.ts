import type * as discovery from '../rest/discovery.ts'
import type * as nodes from '../rest/nodes.ts'
import type * as setup from '../rest/setup.ts'
import type * as temperature from '../rest/temperature.ts'
import type { Reference } from './about.ts'
import { connectionId, now, nowMs } from './samples.ts'

const params = { id: connectionId }
const saved = { status: 'success', id: connectionId } as const
const credentials = {
  host: 'https://pve1.example.com:8006',
  tokenName: 'pulse-monitor@pam!pulse',
  tokenValue: '00000000-0000-0000-0000-000000000000',
}
const works = {
  status: 'success',
  message: 'Connected to 3 nodes of cluster "main"',
  isCluster: true,
  clusterName: 'main',
  nodeCount: 3,
  version: '9.1.4',
  latency: 18,
} as const
const twice = ['duplicate_name', 'duplicate_cluster'] as const

export const connections = {
  getNodes: {
    summary: 'List the connections',
    reply: [
      {
        id: connectionId,
        type: 'pve',
        name: 'pve1',
        host: credentials.host,
        hasPassword: false,
        tokenName: credentials.tokenName,
        hasToken: true,
        verifySSL: true,
        monitorVMs: true,
        monitorContainers: true,
        monitorStorage: true,
        monitorBackups: true,
        monitorPhysicalDisks: false,
        status: 'connected',
      },
    ],
  },
  postNode: {
    summary: 'Add a connection',
    body: { type: 'pve', name: 'pve1', ...credentials, verifySSL: true },
    reply: saved,
    errors: [...twice, 'conflict'],
  },
  putNode: {
    summary: 'Change a connection',
    params,
    body: { monitorBackups: false },
    reply: saved,
    errors: [...twice, 'not_found', 'secret_required', 'locked_by_environment'],
  },
  deleteNode: {
    summary: 'Remove a connection',
    params,
    reply: { status: 'success' },
    errors: ['not_found', 'locked_by_environment'],
  },
  postTestConnection: {
    summary: 'Try a connection before it is saved',
    body: { type: 'pve', ...credentials },
    reply: works,
    errors: ['connection_test_failed', 'not_found', 'secret_required'],
  },
  postNodeTest: {
    summary: 'Try a connection as it is saved',
    params,
    reply: works,
    errors: ['connection_test_failed', 'not_found'],
  },
} satisfies Reference<typeof nodes>

const found = {
  servers: [{ ip: '192.0.2.20', port: 8007, type: 'pbs', version: '4.0.11', hostname: 'pbs1' }],
  errors: [],
  structured_errors: [],
  environment: {
    type: 'native',
    confidence: 0.9,
    phases: [{ name: 'local_networks', subnets: ['192.0.2.0/24'], confidence: 0.9 }],
    warnings: [],
    metadata: {},
  },
  cached: true,
  scanning: false,
  updated: nowMs / 1000,
  timestamp: nowMs / 1000,
  age: 42,
} as const
const reply = { ...found, servers: [...found.servers], errors: [], structured_errors: [] }
const environment = { ...found.environment, phases: [], warnings: [] }

export const search = {
  getDiscovery: { summary: 'Read what the last search found', reply: { ...reply, environment } },
  postDiscovery: {
    summary: 'Search the network for servers',
    body: { subnet: '192.0.2.0/24' },
    reply: { ...reply, environment, cached: false },
    errors: ['conflict'],
  },
} satisfies Reference<typeof discovery>

const code = 'f2a1c0d94be7'
const script = { type: 'pve', host: 'https://pve1.example.com:8006' } as const

export const setupScripts = {
  postSetupScriptUrl: {
    summary: 'Make a one-time code for the setup script of a host',
    body: { ...script, backupPerms: true },
    reply: {
      url: 'https://pulse.example.com/api/setup-script?type=pve&host=pve1.example.com',
      command: `curl -fsSL -H 'X-Setup-Code: ${code}' 'https://pulse.example.com/api/setup-script?type=pve&host=pve1.example.com' | bash`,
      setupCode: code,
      expires: nowMs / 1000 + 300,
      expiresInSeconds: 300,
      fileName: 'pulse-setup.sh',
      notes: [],
    },
  },
  getSetupScript: {
    summary: 'Get the script that prepares a host',
    query: { ...script, backup_perms: 'true' },
    errors: ['invalid_setup_code'],
  },
  postAutoRegister: {
    summary: 'Add the host on which the setup script has run',
    body: {
      ...script,
      serverName: 'pve1',
      tokenId: credentials.tokenName,
      tokenValue: credentials.tokenValue,
      setupCode: code,
    },
    reply: { status: 'success', message: 'pve1 was added', nodeId: connectionId },
    errors: [
      'invalid_setup_code',
      'forbidden',
      'connection_test_failed',
      'locked_by_environment',
      'conflict',
      ...twice,
    ],
  },
} satisfies Reference<typeof setup>

const place = { connectionId, node: 'pve1' }
const node = {
  ...place,
  instance: 'pve1',
  address: '192.0.2.11',
  enabled: true,
  port: 22,
  status: 'ok',
  lastRead: now,
} as const

export const temperatures = {
  getTemperatureNodes: { summary: 'List the nodes whose temperature can be read', reply: { nodes: [node] } },
  putTemperatureNode: {
    summary: 'Switch the temperature of a node on or off',
    params: place,
    body: { enabled: true },
    reply: node,
    errors: ['not_found', 'conflict', 'locked_by_environment'],
  },
  getTemperatureScript: {
    summary: 'Get the script that prepares nodes for it',
    query: { from: '192.0.2.5' },
    errors: ['not_found'],
  },
  postRegisterNodes: {
    summary: 'Try every node that is switched on',
    reply: { success: true, message: 'All nodes answer.', nodes: [{ name: 'pve1', ssh_ready: true }] },
    errors: ['conflict'],
  },
  getProxyPublicKey: { summary: 'Get the key with which temperatures are read', errors: ['not_found'] },
  postVerifyTemperatureSsh: {
    summary: 'Try the nodes that are named',
    body: { nodes: 'pve1 pve2' },
    errors: ['conflict'],
  },
} satisfies Reference<typeof temperature>
