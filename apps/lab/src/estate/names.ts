/** The purposes of ordinary guests, with their load. */
export interface Role {
  prefix: string
  tags: readonly string[]
  load: 'idle' | 'light' | 'medium' | 'heavy'
}

const role = (prefix: string, load: Role['load'], ...tags: string[]): Role => ({ prefix, load, tags })

export const vmRoles: readonly Role[] = [
  role('web', 'medium', 'web'),
  role('db', 'heavy', 'db'),
  role('app', 'medium', 'app'),
  role('mail', 'light', 'mail'),
  role('k8s-worker', 'heavy', 'k8s'),
  role('k8s-control', 'medium', 'k8s'),
  role('gitlab', 'medium', 'dev'),
  role('ci-runner', 'heavy', 'dev', 'ci'),
  role('files', 'light', 'storage'),
  role('monitor', 'light', 'infra'),
  role('fw', 'light', 'network'),
  role('ad', 'light', 'infra'),
  role('erp', 'medium', 'app'),
  role('backup', 'idle', 'backup'),
  role('vpn', 'idle', 'network'),
  role('desktop', 'light'),
]

export const containerRoles: readonly Role[] = [
  role('dns', 'idle', 'network', 'infra'),
  role('proxy', 'light', 'web'),
  role('redis', 'medium', 'db'),
  role('grafana', 'light', 'infra'),
  role('wiki', 'idle', 'app'),
  role('mqtt', 'idle', 'iot'),
  role('cache', 'medium', 'web'),
  role('cron', 'light', 'app'),
  role('registry', 'light', 'dev'),
  role('unifi', 'light', 'network'),
  role('paperless', 'light', 'app'),
  role('docker', 'medium', 'docker'),
]

export const environments = ['production', 'production', 'production', 'staging', 'dev'] as const
export const pools = ['customers', 'internal', 'playground'] as const
export const clusterNames = ['prod', 'edge', 'dr', 'test', 'branch', 'archive', 'campus', 'factory'] as const
export const locks = ['backup', 'migrate', 'snapshot', 'snapshot-delete', 'clone', 'rollback'] as const
