import type * as discovery from '../rest/discovery.ts'
import type * as nodes from '../rest/nodes.ts'
import type * as setup from '../rest/setup.ts'
import type * as temperature from '../rest/temperature.ts'
import type { Reference } from './about.ts'
import { connectionId } from './samples.ts'

const params = { id: connectionId }
const credentials = {
  host: 'https://pve1.example.com:8006',
  tokenName: 'pulse-monitor@pam!pulse',
  tokenValue: '00000000-0000-0000-0000-000000000000',
}
const twice = ['duplicate_name', 'duplicate_cluster'] as const

export const connections = {
  getNodes: { summary: 'List the connections' },
  postNode: {
    summary: 'Add a connection',
    body: { type: 'pve', name: 'pve1', ...credentials, verifySSL: true },
    errors: [...twice, 'conflict'],
  },
  putNode: {
    summary: 'Change a connection',
    params,
    body: { monitorBackups: false },
    errors: [...twice, 'not_found', 'secret_required', 'locked_by_environment'],
  },
  deleteNode: {
    summary: 'Remove a connection',
    params,
    errors: ['not_found', 'locked_by_environment'],
  },
  postTestConnection: {
    summary: 'Test a connection before it is saved',
    body: { type: 'pve', ...credentials },
    errors: ['connection_test_failed', 'not_found', 'secret_required'],
  },
  postNodeTest: {
    summary: 'Test a saved connection',
    params,
    errors: ['connection_test_failed', 'not_found'],
  },
} satisfies Reference<typeof nodes>

export const search = {
  getDiscovery: { summary: 'Get the result of the last scan' },
  postDiscovery: {
    summary: 'Scan the network for servers',
    body: { subnet: '192.0.2.0/24' },
    errors: ['conflict'],
  },
} satisfies Reference<typeof discovery>

const code = 'f2a1c0d94be7'
const script = { type: 'pve', host: 'https://pve1.example.com:8006' } as const

export const setupScripts = {
  postSetupScriptUrl: {
    summary: 'Create a one-time code for the setup script of a host',
    body: { ...script, backupPerms: true },
  },
  getSetupScript: {
    summary: 'Download the script that prepares a host',
    query: { ...script, backup_perms: 'true' },
    errors: ['invalid_setup_code'],
  },
  postAutoRegister: {
    summary: 'Register the host that ran the setup script',
    body: {
      ...script,
      serverName: 'pve1',
      tokenId: credentials.tokenName,
      tokenValue: credentials.tokenValue,
      setupCode: code,
    },
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

const nodeParams = { connectionId, node: 'pve1' }

export const temperatures = {
  getTemperatureNodes: { summary: 'List the nodes whose temperature can be read' },
  putTemperatureNode: {
    summary: 'Enable or disable the temperature of a node',
    params: nodeParams,
    body: { enabled: true },
    errors: ['not_found', 'conflict', 'locked_by_environment'],
  },
  getTemperatureScript: {
    summary: 'Download the script that prepares nodes for temperature monitoring',
    query: { from: '192.0.2.5' },
    errors: ['not_found'],
  },
  postRegisterNodes: {
    summary: 'Check every enabled node',
    errors: ['conflict'],
  },
  getProxyPublicKey: {
    summary: 'Get the public key that Pulse uses to read temperatures',
    errors: ['not_found'],
  },
  postVerifyTemperatureSsh: {
    summary: 'Check the given nodes',
    body: { nodes: 'pve1 pve2' },
    errors: ['conflict'],
  },
} satisfies Reference<typeof temperature>
