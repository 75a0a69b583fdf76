import type { DockerContainer } from '@pulse/contract'

const shortIdLength = 12

/** What a container is called; one without a name is called by the beginning of its id, as the engines do. */
export const containerName = ({ name, id }: Pick<DockerContainer, 'name' | 'id'>): string =>
  name || id.slice(0, shortIdLength)
