import type { NotificationWords } from './words.ts'

/** Spanish. */
export const es: NotificationWords = {
  identityVerified: {
    title: 'Su identidad está verificada',
    text: 'No tiene que hacer nada más.',
  },
  identityRejected: {
    title: 'No se pudo verificar su identidad',
    text: 'Envíe de nuevo sus documentos, por favor.',
  },
  identityExpired: {
    title: 'Su verificación ha caducado',
    text: 'Envíe un documento vigente. Hasta entonces los clientes no ven sus anuncios.',
  },
  identityExpiring: ({ until }) => ({
    title: 'Su verificación caduca pronto',
    text: `Es válida hasta el ${until}. Envíe antes un documento vigente, por favor.`,
  }),
  passwordChanged: ({ at }) => ({
    title: 'Su contraseña ha cambiado',
    text: `Se cambió el ${at}. Si no fue usted, pida enseguida una nueva contraseña.`,
  }),
  passwordReset: ({ at, count }) => ({
    title: 'Su contraseña se ha restablecido',
    text: `El ${at} se eligió una nueva contraseña con un enlace enviado por correo y se cerró la sesión en todos los dispositivos. Claves de API anuladas: ${count}. Si no fue usted, pida enseguida una nueva contraseña.`,
  }),
  emailChanged: ({ at }) => ({
    title: 'Su dirección de correo electrónico ha cambiado',
    text: `Su cuenta tiene una nueva dirección de correo electrónico desde el ${at}. Si no fue usted, use el enlace enviado a la dirección anterior.`,
  }),
  emailRestored: ({ at }) => ({
    title: 'Su dirección de correo electrónico se ha restablecido',
    text: `El cambio de su dirección de correo electrónico se deshizo el ${at} y se cerró la sesión en todos los dispositivos. Elija una nueva contraseña con el enlace que le enviamos por correo.`,
  }),
  signedInElsewhere: ({ at }) => ({
    title: 'Nuevo inicio de sesión en su cuenta',
    text: `El ${at} se inició sesión en su cuenta desde un dispositivo y una red que no conocíamos. Si no fue usted, cierre esa sesión y cambie su contraseña.`,
  }),
  sessionReused: ({ at }) => ({
    title: 'Hemos cerrado una sesión para proteger su cuenta',
    text: `El ${at} se volvió a usar una clave ya gastada de esa sesión; es posible que alguien la copiara. Inicie sesión de nuevo y, si tiene dudas, cambie su contraseña.`,
  }),
  secondFactorAdded: ({ at }) => ({
    title: 'Se añadió un segundo factor a su cuenta',
    text: `El ${at} se añadió una llave de acceso o una aplicación de autenticación. Si no fue usted, elimínela y cambie su contraseña de inmediato.`,
  }),
  secondFactorRemoved: ({ at }) => ({
    title: 'Se eliminó un segundo factor de su cuenta',
    text: `El ${at} se eliminó una llave de acceso o una aplicación de autenticación. Si no fue usted, cambie su contraseña de inmediato.`,
  }),
  secondFactorToBeRemoved: ({ at }) => ({
    title: 'Se eliminarán los segundos factores de su cuenta',
    text: `El ${at} se pidió a nuestro servicio de asistencia que los eliminara; ocurrirá 24 horas después. Si no fue usted, inicie sesión antes con su aplicación de autenticación o su llave de acceso, lo que lo cancela, y cambie su contraseña.`,
  }),
  secondFactorRefused: ({ at }) => ({
    title: 'Códigos incorrectos al iniciar sesión',
    text: `Se introdujeron diez códigos incorrectos, el último el ${at}, después de su contraseña correcta. Si no fue usted, cámbiela de inmediato: alguien la conoce.`,
  }),
  apiKeyMade: ({ at }) => ({
    title: 'Se creó una clave de API',
    text: `El ${at} se creó una clave que actúa en su nombre. Si no fue usted, elimínela y cambie su contraseña.`,
  }),
  apiKeyDeleted: ({ at }) => ({
    title: 'Se eliminó una clave de API',
    text: `El ${at} se eliminó una clave que actuaba en su nombre. Lo que la usaba ha dejado de funcionar.`,
  }),
  listingPublished: ({ listing }) => ({
    title: `«${listing}» está publicado`,
    text: 'Los clientes ya pueden encontrar este anuncio.',
  }),
  listingRejected: ({ listing }) => ({
    title: `«${listing}» no fue aceptado`,
    text: 'Puede modificar el anuncio y enviarlo de nuevo.',
  }),
  listingSuspended: ({ listing }) => ({
    title: `«${listing}» fue suspendido`,
    text: 'Un moderador suspendió este anuncio. Los clientes ya no lo ven.',
  }),
  revisionPublished: ({ listing }) => ({
    title: `Sus cambios en «${listing}» están publicados`,
    text: 'Los clientes ya los ven.',
  }),
  revisionRejected: ({ listing }) => ({
    title: `Sus cambios en «${listing}» no fueron aceptados`,
    text: 'El anuncio sigue publicado como estaba.',
  }),
  enquiryReceived: ({ person, listing }) => ({
    title: `Nueva consulta sobre «${listing}»`,
    text: `${person} le ha escrito.`,
  }),
  enquiryAnswered: ({ person, listing }) => ({
    title: `Nuevo mensaje sobre «${listing}»`,
    text: `${person} le ha escrito.`,
  }),
  visitSet: ({ person, listing, visit }) => ({
    title: `Hay una visita prevista a «${listing}»`,
    text: `${person} le espera el ${visit}.`,
  }),
  visitCancelled: ({ person, listing }) => ({
    title: `La visita a «${listing}» se ha cancelado`,
    text: `${person} la ha cancelado. Puede escribirle para acordar otro momento.`,
  }),
  listingTaken: ({ listing }) => ({
    title: `«${listing}» ya no está disponible`,
    text: 'El inmueble se ha vendido o alquilado y su consulta se ha cerrado. Todavía puede escribir.',
  }),
  paymentSucceeded: ({ amount, receipt }) => ({
    title: `Su pago de ${amount} se ha realizado`,
    text: `Número de recibo: ${receipt}`,
  }),
  refundStarted: ({ amount }) => ({
    title: `Ha comenzado un reembolso de ${amount}`,
    text: 'El dinero puede tardar unos días en llegar a su cuenta.',
  }),
  refundDone: ({ amount }) => ({
    title: `Se ha realizado un reembolso de ${amount}`,
    text: 'El dinero se ha devuelto por el mismo medio con que se pagó.',
  }),
  refundFailed: ({ amount }) => ({
    title: `No se pudo realizar un reembolso de ${amount}`,
    text: 'Lo estamos resolviendo. No tiene que hacer nada.',
  }),
  paymentDisputed: ({ amount }) => ({
    title: `Su pago de ${amount} está en disputa`,
    text: 'Su banco o servicio de pago ha abierto una disputa. El dinero queda retenido hasta que se decida.',
  }),
  paymentChargedBack: ({ amount }) => ({
    title: `La disputa sobre su pago de ${amount} se ha cerrado`,
    text: 'Se decidió a su favor y se le devuelve la suma disputada.',
  }),
  paymentReceived: ({ person, amount, listing }) => ({
    title: `Un pago de ${amount} por «${listing}»`,
    text: `${person} ha pagado.`,
  }),
  requestPaid: ({ person, amount, listing }) => ({
    title: `Se ha pagado su solicitud de ${amount}`,
    text: `${person} ha pagado por «${listing}».`,
  }),
  receivedRefunded: ({ amount, listing }) => ({
    title: `Un reembolso de ${amount} por «${listing}»`,
    text: 'Esta suma se ha devuelto a quien pagó.',
  }),
  receivedDisputed: ({ amount, listing }) => ({
    title: `Un pago por «${listing}» está en disputa`,
    text: `El banco o servicio de pago de quien pagó disputa el pago de ${amount}.`,
  }),
  receivedChargedBack: ({ amount, listing }) => ({
    title: `Se ha revertido un pago por «${listing}»`,
    text: `La disputa sobre el pago de ${amount} se decidió a favor de quien pagó.`,
  }),
  payoutPaid: ({ amount }) => ({
    title: `El pago de ${amount} a su cuenta se ha realizado`,
    text: 'El dinero ya va camino de su cuenta.',
  }),
  payoutFailed: ({ amount }) => ({
    title: `El pago de ${amount} a su cuenta ha fallado`,
    text: 'El dinero ha vuelto a su saldo. Revise su cuenta de cobro.',
  }),
  payoutAccountChanged: ({ at }) => ({
    title: 'Su cuenta de cobro ha cambiado',
    text: `Se cambió el ${at}. Si no fue usted, cambie su contraseña de inmediato y escríbanos.`,
  }),
  paymentRequested: ({ person, amount, listing }) => ({
    title: `Le piden un pago de ${amount}`,
    text: `${person} pide este pago por «${listing}».`,
  }),
  paymentRequestDue: ({ person, amount, listing, until }) => ({
    title: `Vence un pago de ${amount}`,
    text: `${person} pide este pago por «${listing}» antes del ${until}.`,
  }),
  paymentRequestOverdue: ({ person, amount, listing }) => ({
    title: `Un pago de ${amount} está vencido`,
    text: `${person} sigue esperando este pago por «${listing}». Todavía puede hacerlo.`,
  }),
  favouriteReduced: ({ listing, amount, before }) => ({
    title: `«${listing}» cuesta ahora ${amount}`,
    text: `Precio anterior: ${before}`,
  }),
  favouriteTaken: ({ listing }) => ({
    title: `«${listing}» ya se vendió o alquiló`,
    text: 'Este inmueble de sus favoritos ya no está disponible.',
  }),
  favouriteGone: ({ listing }) => ({
    title: `«${listing}» ya no está publicado`,
    text: 'Este anuncio de sus favoritos no está visible por ahora.',
  }),
  searchMatched: ({ search, count }) => ({
    title: `Anuncios nuevos para «${search}»`,
    text: `Anuncios encontrados: ${count}`,
  }),
  listingReportActed: {
    title: 'Gracias por su denuncia',
    text: 'Hemos revisado el anuncio que denunció y hemos tomado medidas.',
  },
  enquiryReportActed: {
    title: 'Gracias por su denuncia',
    text: 'Hemos revisado la consulta que denunció y hemos tomado medidas.',
  },
}
