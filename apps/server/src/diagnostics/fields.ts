import type { Category } from '../masking/patterns.ts'

const fieldsOf: Record<Category, readonly string[]> = {
  account: ['user', 'username', 'owner', 'ackUser'],
  address: [
    'host',
    'Host',
    'hostname',
    'IP',
    'ip',
    'ipv4',
    'ipv6',
    'address',
    'addresses',
    'ipAddresses',
    'mac',
    'domain',
  ],
  cluster: ['clusterName'],
  fingerprint: ['fingerprint', 'hostKeyFingerprint', 'proxyPublicKeySha256', 'encryption'],
  instance: ['instance', 'instances', 'connection'],
  name: [
    'name',
    'displayName',
    'resourceName',
    'testVMName',
    'backupName',
    'image',
    'namespace',
    'remote',
    'server',
    'hosts',
    'site',
    'vmid', // in a host's backup: its name
  ],
  node: ['node', 'nodes', 'target', 'inactiveOn', 'NodeName', 'nodeName'],
  path: ['volid', 'filename', 'mountpoint', 'files', 'path'],
  serial: ['serial', 'fsid', 'machineId', 'agentId', 'hostId'],
  storage: ['storage', 'datastore', 'store', 'remoteStore'],
  task: ['upid'],
  // Users write these texts, so they may contain anything.
  text: ['notes', 'comment', 'description', 'tags', 'parent', 'subject'],
  token: ['tokenName', 'tokenHint', 'hint', 'prefix', 'suffix'],
  url: ['customUrl', 'url', 'publicURL'],
}

const categories = new Map<string, Category>(
  Object.entries(fieldsOf).flatMap(([category, names]) => names.map((name) => [name, category as Category])),
)

export const categoryOf = (field: string): Category | undefined => categories.get(field)

/** Objects with names as keys instead of fields. */
export const openMaps: readonly string[] = ['connectionHealth', 'apiCallDuration', 'metadata', 'labels']

/** Fields with a fixed set of words. A guest may have one of these words as its name. */
const wordFields =
  'status type health level connectionHealth kind mode authMethod source state memorySource os arch format content ' +
  'diskStatusReason backupType deploymentType'
const fixedFields = new Set(wordFields.split(' '))
const words = new Set(
  (
    'online offline unknown running stopped paused healthy degraded error pending connected disconnected success ' +
    'warning critical qemu lxc node vm ct host snapshot local remote pve pbs pmg docker api_token none available ' +
    'username_password inactive disabled ok off waiting failing not_set_up full sanitized linux x64 arm64 user ' +
    'environment storage dir nfs cifs lvm lvmthin zfspool rbd cephfs btrfs iscsi cache rrd agent mem freemem used list'
  ).split(' '),
)

export const isFixedWord = (field: string, text: string): boolean =>
  (fixedFields.has(field) && words.has(text)) || (field === 'vmid' && /^\d+$/.test(text))

/** A value that never identifies an owner. */
export const isCommon = (text: string): boolean =>
  ['', '/', '-', 'cluster', '0.0.0.0', '::', '127.0.0.1', '::1'].includes(text)
