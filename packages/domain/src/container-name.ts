import type { DockerContainer } from '@pulse/contract'

const shortIdLength = 12

/** The name of a container, or the start of its id, as the engines show it. */
export const containerName = ({ name, id }: Pick<DockerContainer, 'name' | 'id'>): string =>
  name || id.slice(0, shortIdLength)
