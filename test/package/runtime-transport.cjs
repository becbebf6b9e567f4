'use strict'
// Preloaded where Lambda's runtime client is started in tests: takes the place of its compiled part, which sends its
// requests. That would take a compiler, cmake and a minute to build.
const { registerHooks } = require('node:module')
const { pathToFileURL } = require('node:url')
const { Agent, request } = require('node:http')

const RUNTIME_API = `http://${process.env.AWS_LAMBDA_RUNTIME_API}/2018-06-01/runtime/invocation`
const agent = new Agent({ keepAlive: true })

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === './rapid-client.node'
      ? { url: pathToFileURL(__filename).href, format: 'commonjs', shortCircuit: true }
      : next(specifier, context),
})

const send = (method, path, body) =>
  new Promise((resolve, reject) => {
    const sent = request(`${RUNTIME_API}/${path}`, { method, agent }, (response) => {
      let bodyJson = ''
      response.setEncoding('utf8').on('data', (chunk) => {
        bodyJson += chunk
      })
      response.on('end', () => resolve({ bodyJson, headers: response.headers }))
    })
    sent.on('error', reject).end(body)
  })

exports.next = () => send('GET', 'next')
exports.done = (id, body) => void send('POST', `${id}/response`, body)
exports.error = (id, body) => void send('POST', `${id}/error`, body)
