import {
  type AlertOverride,
  type DockerContainer,
  type Guest,
  overrideKey,
  type OverrideKind,
  overrideKinds,
  type RecordKind,
  type Storage,
} from '@pulse/contract'

type Overrides = Readonly<Record<string, AlertOverride>>

export interface FoundOverride {
  /** key in the configuration */
  key: string
  override: AlertOverride
}

/**
 * The override of a record, stored under its key or under an id of the documented API. `isNode` recognizes
 * nodes of the record's source, because an id may contain a former node of a guest.
 */
export function overrideOf(
  overrides: Overrides,
  kind: RecordKind,
  recordKey: string,
  record: object,
  isNode: (name: string) => boolean = () => true,
): FoundOverride | undefined {
  const known = overrideNames(kind, recordKey, record).find((key) => Object.hasOwn(overrides, key))
  if (known !== undefined) return { key: known, override: overrides[known]! }
  const key = kind === 'guests' ? elsewhere(overrides, record as Guest, isNode) : undefined
  return key === undefined ? undefined : { key, override: overrides[key]! }
}

/** All current names of a record, its override key first. */
export function overrideNames(kind: RecordKind, recordKey: string, record: object): string[] {
  const own = Object.hasOwn(overrideKinds, kind) ? [overrideKey(kind as OverrideKind, recordKey)] : []
  if (kind === 'dockerContainers') {
    const { host, id } = record as DockerContainer
    return [...own, `docker:${host}/${id}`]
  }
  const documented = 'id' in record && typeof record.id === 'string' ? [...own, record.id] : own
  return kind === 'storage' ? [...documented, ...legacyStorageNames(record as Storage)] : documented
}

/** Pulse 4.x names a shared storage by the first node that reported it. */
const legacyStorageNames = ({ shared, instance, name, node, nodes = [] }: Storage): string[] =>
  shared ? [...new Set([node, ...nodes])].map((one) => `${instance}-${one}-${name}`) : []

/** `{instance}-{node}-{vmid}` names the guest's node at that time. The guest may have moved since. */
function elsewhere(
  overrides: Overrides,
  { instance, vmid }: Guest,
  isNode: (name: string) => boolean,
): string | undefined {
  return byNumber(overrides)
    .get(String(vmid))
    ?.find((key) => {
      const node = key.slice(instance.length + 1, -(String(vmid).length + 1))
      return key === `${instance}-${node}-${vmid}` && node !== '' && isNode(node)
    })
}

const numbered = new WeakMap<Overrides, ReadonlyMap<string, readonly string[]>>()

/** Override names that end in a number, by that number. */
function byNumber(overrides: Overrides): ReadonlyMap<string, readonly string[]> {
  const known = numbered.get(overrides)
  if (known) return known
  const found = new Map<string, string[]>()
  for (const key of Object.keys(overrides)) {
    const number = key.slice(key.lastIndexOf('-') + 1)
    if (number === key) continue
    const others = found.get(number)
    if (others) others.push(key)
    else found.set(number, [key])
  }
  numbered.set(overrides, found)
  return found
}
