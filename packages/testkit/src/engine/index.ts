export { busybox, givenContainers } from './containers.ts'
export { type Engine, startDocker, startPodman } from './start.ts'
