import type { DockerContainer } from '@pulse/contract'

type Labelled = Pick<DockerContainer, 'labels'>

/** The Compose project; podman-compose sets the same labels. Empty for containers created by hand. */
export const projectOf = ({ labels }: Labelled): string => labels?.['com.docker.compose.project'] ?? ''

export const serviceOf = ({ labels }: Labelled): string => labels?.['com.docker.compose.service'] ?? ''
