import type { DockerContainer } from '@pulse/contract'

type Labelled = Pick<DockerContainer, 'labels'>

/** What Compose made it for; podman-compose sets the same labels. Empty for one that was made by hand. */
export const projectOf = ({ labels }: Labelled): string => labels?.['com.docker.compose.project'] ?? ''

export const serviceOf = ({ labels }: Labelled): string => labels?.['com.docker.compose.service'] ?? ''
