import { signal } from '@preact/signals'
import { render } from 'preact'

const title = signal('Console')

const app = document.getElementById('app')
if (app) render(<main>{title}</main>, app)
