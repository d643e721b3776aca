"""Currencies of ISO 4217: digits and amounts."""

import re
from dataclasses import dataclass
from typing import Final

MOP: Final = "MOP"
_DIGITS: Final[dict[int, str]] = {
    0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF",
    2: (
        "AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY "
        "COP CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS "
        "INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR "
        "MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD "
        "SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VES WST XCD YER ZAR ZMW ZWG"
    ),
    3: "BHD IQD JOD KWD LYD OMR TND",
}
"""ISO 4217, list one, by digits; without funds and metals."""
CODES: Final = {code: digits for digits, codes in _DIGITS.items() for code in codes.split()}
_AMOUNT: Final = re.compile(r"(?P<whole>[0-9]{1,12})(?:\.(?P<rest>[0-9]*))?")


class BadAmount(ValueError):
    """An amount that this currency does not have."""


@dataclass(frozen=True, slots=True)
class Currency:
    """A currency; ``digits`` of the minor unit, 0 to 3."""

    code: str = MOP
    digits: int = CODES[MOP]

    def text(self, units: int, *, signed: bool = False) -> str:
        """Minor units as an amount without code: ``1,234.50``."""
        sign = "-" if units < 0 else "+" if signed and units > 0 else ""
        whole, rest = divmod(abs(units), 10**self.digits)
        return f"{sign}{whole:,}" + (f".{rest:0{self.digits}d}" if self.digits else "")

    def units(self, amount: str) -> int:
        """Minor units of a typed amount: ``50``, ``50.5``, ``50.50``.

        Raises:
            BadAmount: not a number, or too many decimals.
        """
        found = _AMOUNT.fullmatch(amount)
        if found is None:
            raise BadAmount(f"{amount} is not an amount; type it as {self.example}, without commas")
        rest = found["rest"] or ""
        if len(rest) > self.digits:
            decimals = f"{self.digits} decimals" if self.digits else "no decimals"
            raise BadAmount(f"{amount} has too many decimals; {self.code} has {decimals}, such as {self.example}")
        return int(found["whole"] + rest.ljust(self.digits, "0"))

    @property
    def example(self) -> str:
        """A sample amount."""
        return "50." + "50"[: self.digits].ljust(self.digits, "0") if self.digits else "50"


def currency(code: str) -> Currency:
    """A currency by its code.

    Raises:
        ValueError: unknown.
    """
    if code not in CODES:
        raise ValueError(f"{code!r} is no currency of ISO 4217; it has three capital letters, such as MOP, HKD, EUR")
    return Currency(code, CODES[code])
