import { startDocker } from '@pulse/testkit/engine'
import { openMachine } from '@pulse/testkit/machine'
import { archiveTests } from './release/archive.ts'
import { releaseFixture } from './release/fixtures.ts'
import { imageTests } from './release/image.ts'
import { installTests } from './release/install.ts'

const given = releaseFixture()
archiveTests(given)
installTests(given, await openMachine())
imageTests(given, await startDocker())
