import type { Cluster, Estate, Storage } from '../estate/estate.ts'

/** A cluster and the storage that it saves its guests to. */
export interface Source {
  cluster: Cluster
  storage: Storage
}

/** The sources that save to a namespace of a datastore; several clusters may share it. */
export const savingTo = (estate: Estate, datastore: string, namespace: string): Source[] =>
  allSources(estate).filter(
    ({ storage }) => storage.config.datastore === datastore && namespaceOf(storage) === namespace,
  )

/** A storage shows all content of its target, including that of other clusters. */
export const sharing = (estate: Estate, { cluster, storage }: Source): Source[] =>
  storage.type === 'pbs'
    ? savingTo(estate, storage.config.datastore!, namespaceOf(storage))
    : [{ cluster, storage }]

export const namespacesIn = (estate: Estate, datastore: string): string[] => [
  ...new Set(
    allSources(estate)
      .filter(({ storage }) => storage.config.datastore === datastore)
      .map(({ storage }) => namespaceOf(storage)),
  ),
]

const allSources = ({ clusters }: Estate): Source[] =>
  clusters.flatMap((cluster) =>
    cluster.storages.filter(({ type }) => type === 'pbs').map((storage) => ({ cluster, storage })),
  )

const namespaceOf = ({ config }: Storage): string => config.namespace ?? ''
