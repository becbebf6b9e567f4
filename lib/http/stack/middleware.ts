import type { MiddlewareObj } from '@middy/core'
import type { APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda'
import type { HttpEvent } from '#lib/http/request'

/** A middleware of ours, whatever the endpoint. */
export type HttpMiddleware = MiddlewareObj<HttpEvent, APIGatewayProxyStructuredResultV2, Error, Context>

/** What a middleware is given once a request has been answered or refused. */
export type Answered = Parameters<NonNullable<HttpMiddleware['after']>>[0]
