import { givenRelease } from './release/given.ts'
import { wayTests } from './release/ways.ts'

wayTests(givenRelease())
