import { figures } from '@pulse/contract'
import { ofKind } from '../of-kind.ts'

const hosts = ofKind('dockerHosts')
const containers = ofKind('dockerContainers')

export const containerMetrics = [
  hosts.info('pulse_container_host_info', 'A container host with an agent. Always 1.', {
    source: ({ source }) => source,
    host: ({ id }) => id,
    name: ({ displayName }) => displayName,
    engine: ({ engine }) => engine,
    version: ({ dockerVersion }) => dockerVersion,
    agent_version: ({ agentVersion }) => agentVersion,
  }),
  ...hosts.figures(figures.dockerHosts),

  containers.info('pulse_container_info', 'A container of a container host. Always 1.', {
    source: ({ source }) => source,
    host: ({ host }) => host,
    name: ({ name }) => name,
    image: ({ image }) => image,
  }),
  ...containers.figures(figures.dockerContainers),
]
