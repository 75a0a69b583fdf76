import type { SourceState } from '@pulse/contract'

/** Questions to a whole cluster or to one of its nodes, whose name comes first. */
const asked = /^(?:\S+ )?(?:storages?|storage configuration|disks|disk temperatures|zfs|ceph|ceph pools)$/

/** What of a source belongs to this page, should it not be readable. */
export const concernsStorage = ({ kind }: Pick<SourceState, 'kind'>, what: string): boolean =>
  kind === 'pve' && asked.test(what)
