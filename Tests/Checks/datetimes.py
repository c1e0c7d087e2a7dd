"""Dates as HTML's time element and RFC 3339 write them."""

import re
from datetime import date

_DATE = r"(\d{4,})-(\d\d)-(\d\d)"
_TIME = r"(\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,3})?)?"
_ZONE = r"(?:Z|[+-](\d\d):?(\d\d))"
_DURATION = re.compile(r"P(?=.)(\d+D)?(T(?=.)(\d+H)?(\d+M)?(\d+(\.\d{1,3})?S)?)?")


def _is_date(year, month, day):
    try:
        date(min(int(year), 9996) if int(year) > 9999 else int(year), int(month), int(day))
    except ValueError:
        return False
    return True


def _is_time(hour, minute, second):
    return int(hour) < 24 and int(minute) < 60 and int(second or 0) < 60


def is_valid_datetime(text):
    """True for a string that HTML's <time datetime> allows."""
    match = re.fullmatch(rf"{_DATE}(?:[T ]{_TIME}(?:{_ZONE})?)?", text)
    if match:
        year, month, day, hour, minute, second, zone_hour, zone_minute = match.groups()
        return (
            _is_date(year, month, day)
            and (hour is None or _is_time(hour, minute, second))
            and (zone_hour is None or (int(zone_hour) < 24 and int(zone_minute) < 60))
        )
    match = re.fullmatch(_TIME, text)
    if match:
        return _is_time(*match.groups())
    match = re.fullmatch(r"(\d{4,})-(\d\d)", text)
    if match:
        return _is_date(*match.groups(), 1)
    match = re.fullmatch(r"(\d\d)-(\d\d)", text)
    if match:
        return _is_date(2000, *match.groups())
    match = re.fullmatch(r"(\d{4,})-W(\d\d)", text)
    if match:
        return 1 <= int(match.group(2)) <= 53
    return bool(re.fullmatch(r"\d{4,}", text) and int(text) > 0) or bool(_DURATION.fullmatch(text))


def is_rfc3339(text):
    """True for the date construct of RFC 4287 section 3.3 (RFC 3339 with capital T and Z)."""
    match = re.fullmatch(rf"(\d{{4}})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:Z|[+-](\d\d):(\d\d))", text)
    if not match:
        return False
    year, month, day, hour, minute, second, zone_hour, zone_minute = match.groups()
    return (
        _is_date(year, month, day)
        and int(hour) < 24
        and int(minute) < 60
        and int(second) <= 60
        and (zone_hour is None or (int(zone_hour) < 24 and int(zone_minute) < 60))
    )
